// Names of kinds and resources
export {
  formatGroupVersion,
  type GroupVersion,
  parseGroupVersion,
} from './group-version/group-version.ts';
export type { GroupVersionKind } from './group-version/group-version-kind.ts';
export type { GroupVersionResource } from './group-version/group-version-resource.ts';

// Objects of any kind
export { isObject, type JsonObject, member } from './objects/json-object.ts';
export {
  type KubernetesObject,
  kindOfObject,
  type Labels,
  labelsOf,
  metadataString,
} from './objects/kubernetes-object.ts';
export type { ObjectMeta } from './metadata/object-meta.ts';

// Selectors
export type { LabelSelector } from './selectors/label-selector.ts';
export type { LabelRequirement } from './selectors/label-selector.ts';
export { parseLabelSelector } from './selectors/parse-label-selector.ts';
export {
  compileLabelRequirements,
  compileLabelSelector,
  type Selector,
} from './selectors/compile-label-selector.ts';

// Errors of strings, fields and requests
export type { ParseError } from './errors/parse-error.ts';
export { type FieldError, formatFieldError } from './errors/field-error.ts';
export type { Status, StatusDetails } from './status/status.ts';
export { formatGroupName, type GroupName } from './group-version/group-name.ts';
export {
  formatGroupVersionKind,
  groupVersionKindOf,
  sameKind,
} from './group-version/group-version-kind.ts';
export {
  formatGroupVersionResource,
  sameResource,
} from './group-version/group-version-resource.ts';
export {
  listOf,
  memberList,
  memberObject,
  memberObjects,
  memberText,
  memberTexts,
  objectOf,
  textOf,
} from './objects/json-object.ts';
export { annotationsOf, stringMapOf } from './objects/kubernetes-object.ts';
export {
  type FieldRequirement,
  matchesFields,
  parseFieldSelector,
} from './selectors/field-selector.ts';
export { labelSelectorProblem } from './selectors/compile-label-selector.ts';
export { isBase64, isDate, isDateTime, isUuid } from './formats/data-formats.ts';
