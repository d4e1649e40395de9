// Shared with other packages of kubeadmit; unstable.

// Names of kinds and resources
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

// Errors of fields and arguments
export { requireKind, requirePolicy } from './errors/arguments.ts';
export { formatAggregate } from './errors/aggregate.ts';
export { formatFieldPath } from './errors/aggregate.ts';
export { unifiedDiff } from './diff/unified-diff.ts';
export {
  duplicate,
  type FieldErrorType,
  forbidden,
  missing,
  internalError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from './errors/field-error.ts';

// Statuses
export type { StatusCause } from './status/status.ts';
export { failureStatus } from './status/status.ts';
export {
  alreadyExistsStatus,
  applyConflictStatus,
  badRequestStatus,
  conflictStatus,
  expiredStatus,
  forbiddenStatus,
  generateNameConflictStatus,
  internalErrorStatus,
  invalidStatus,
  methodNotSupportedStatus,
  notFoundStatus,
  requestEntityTooLargeStatus,
  serviceUnavailableStatus,
} from './status/failures.ts';

// Metadata, labels and names
export { copyJson } from './objects/copy-json.ts';
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
export { annotationsOf } from './objects/kubernetes-object.ts';
export { type ManagedFieldsEntry, objectMetaFields } from './metadata/object-meta.ts';
export {
  type FieldRequirement,
  matchesFields,
  parseFieldSelector,
} from './selectors/field-selector.ts';
export { validateObjectMeta, validateObjectMetaUpdate } from './metadata/validate-object-meta.ts';
export { validateLabelSelector } from './selectors/validate-label-selector.ts';
export { stringMapOf } from './objects/kubernetes-object.ts';
export { labelSelectorProblem } from './selectors/compile-label-selector.ts';
export {
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
} from './names/dns-name.ts';
export { labelValueProblems, qualifiedNameProblems } from './names/label-name.ts';
export { type NameRule, nameProblems } from './names/name-rule.ts';
export { maskTrailingDash } from './names/name-rule.ts';
export { pathSegmentProblems } from './names/name-rule.ts';

// Formats of strings
export { isBase64, isDate, isDateTime, isUuid } from './formats/data-formats.ts';

// Quantities of resources
export { parseQuantity, quantityOf } from './quantity/parse-quantity.ts';
export { formatQuantity } from './quantity/format-quantity.ts';
export {
  approximateQuantity,
  bigQuantity,
  compareQuantities,
  integerOfQuantity,
  quantityOfInteger,
  signOfQuantity,
} from './quantity/quantity.ts';
export {
  addQuantities,
  divideQuantity,
  multiplyQuantity,
  roundUpQuantity,
  subtractQuantities,
} from './quantity/arithmetic.ts';

// Semantic versions
export { parseNormalizedSemver, parseSemver } from './semver/parse-semver.ts';
export { compareSemver, formatSemver } from './semver/semver.ts';
export { parseVersionRange } from './semver/version-range.ts';
