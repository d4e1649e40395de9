// What the packages of kubeadmit share and users rarely need; it may change with every version.

// Errors of fields
export { formatAggregate } from './errors/aggregate.ts';
export {
  duplicate,
  type FieldErrorType,
  forbidden,
  internalError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from './errors/field-error.ts';

// Statuses
export { failureStatus, statusDetails } from './status/status.ts';
export {
  alreadyExistsStatus,
  applyConflictStatus,
  badRequestStatus,
  conflictStatus,
  expiredStatus,
  forbiddenStatus,
  generateNameConflictStatus,
  goneStatus,
  internalErrorStatus,
  invalidStatus,
  methodNotSupportedStatus,
  notFoundStatus,
  requestEntityTooLargeStatus,
  serverTimeoutStatus,
  serviceUnavailableStatus,
  timeoutStatus,
  tooManyRequestsStatus,
  unauthorizedStatus,
} from './status/failures.ts';

// Metadata, labels and names
export {
  type ObjectMetaRules,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from './metadata/validate-object-meta.ts';
export { validateLabelSelector, validateLabels } from './selectors/validate-label-selector.ts';
export { stringMapOf } from './objects/kubernetes-object.ts';
export { labelSelectorProblem } from './selectors/compile-label-selector.ts';
export { type NameRule, nameProblems } from './names/name-rule.ts';
export { maskTrailingDash } from './names/generated-name.ts';
export { pathSegmentPrefixProblems, pathSegmentProblems } from './names/path-segment-name.ts';
export { parseGroupName } from './group-version/group-name.ts';

// Formats of strings
export { isBase64, isDate, isDateTime, isUuid } from './formats/data-formats.ts';
export { formatJson } from './json/format-json.ts';

// Quantities of resources
export { quantityOf } from './quantity/parse-quantity.ts';
export {
  approximateQuantity,
  bigQuantity,
  integerOfQuantity,
  quantityOfInteger,
  signOfQuantity,
} from './quantity/quantity.ts';
export { divideQuantity, multiplyQuantity, roundUpQuantity } from './quantity/arithmetic.ts';

// Semantic versions
export { parseNormalizedSemver } from './semver/parse-semver.ts';
export { parseVersionRange, type VersionRange } from './semver/version-range.ts';
