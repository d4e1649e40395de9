// Names of kinds and resources
export {
  formatGroupVersion,
  type GroupVersion,
  parseGroupVersion,
} from './group-version/group-version.ts';
export {
  formatGroupKind,
  formatGroupVersionKind,
  type GroupKind,
  type GroupVersionKind,
  groupVersionKindOf,
  sameKind,
} from './group-version/group-version-kind.ts';
export {
  formatGroupResource,
  formatGroupVersionResource,
  type GroupResource,
  type GroupVersionResource,
  parseGroupResource,
  sameResource,
} from './group-version/group-version-resource.ts';
// Names of objects and labels
export {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
} from './names/dns-name.ts';
export { labelValueProblems, qualifiedNameProblems } from './names/label-name.ts';
// Objects of any kind
export { isObject, type JsonObject, member } from './objects/json-object.ts';
export {
  annotationsOf,
  type KubernetesObject,
  kindOfObject,
  type Labels,
  labelsOf,
  metadataString,
} from './objects/kubernetes-object.ts';
// What parsing says of a string that cannot be parsed
export type { ParseError } from './parse-error.ts';
// Selectors
export {
  compileLabelRequirements,
  compileLabelSelector,
  type Selector,
} from './selectors/compile-label-selector.ts';
export {
  type FieldRequirement,
  matchesFields,
  parseFieldSelector,
} from './selectors/field-selector.ts';
export type { LabelOperator, LabelRequirement } from './selectors/label-requirement.ts';
export type { LabelSelector, LabelSelectorRequirement } from './selectors/label-selector.ts';
export { parseLabelSelector } from './selectors/parse-label-selector.ts';
// Quantities of resources
export { addQuantities, subtractQuantities } from './quantity/arithmetic.ts';
export { formatQuantity } from './quantity/format-quantity.ts';
export { parseQuantity } from './quantity/parse-quantity.ts';
export { compareQuantities, type Quantity, type QuantityFormat } from './quantity/quantity.ts';

// Semantic versions
export { parseSemver } from './semver/parse-semver.ts';
export { compareSemver, formatSemver, type Semver } from './semver/semver.ts';
export { parseVersionRange, type VersionRange } from './semver/version-range.ts';
