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

// Names of objects and labels
export {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
} from './names/dns-name.ts';
export { labelValueProblems, qualifiedNameProblems } from './names/label-name.ts';

// Selectors
export type { LabelSelector } from './selectors/label-selector.ts';
export type { LabelRequirement } from './selectors/label-requirement.ts';
export { parseLabelSelector } from './selectors/parse-label-selector.ts';
export {
  compileLabelRequirements,
  compileLabelSelector,
  type Selector,
} from './selectors/compile-label-selector.ts';

// Quantities of resources
export { parseQuantity } from './quantity/parse-quantity.ts';
export { formatQuantity } from './quantity/format-quantity.ts';
export { compareQuantities, type Quantity } from './quantity/quantity.ts';
export { addQuantities, subtractQuantities } from './quantity/arithmetic.ts';

// Semantic versions
export { parseSemver } from './semver/parse-semver.ts';
export { compareSemver, formatSemver, type Semver } from './semver/semver.ts';

// What is wrong with a string, a field, a request
export type { ParseError } from './parse-error.ts';
export { type FieldError, formatFieldError } from './errors/field-error.ts';
export type { Status, StatusDetails } from './status/status.ts';
