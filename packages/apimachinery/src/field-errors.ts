// Errors of fields, with the messages of Kubernetes' validation, and the rules of metadata.

export { formatAggregate, formatFieldPath } from './errors/aggregate.ts';
export {
  duplicate,
  type FieldErrorType,
  forbidden,
  internalError,
  invalid,
  missing,
  notSupported,
  required,
  tooLong,
  tooMany,
} from './errors/field-error.ts';
export { validateObjectMeta, validateObjectMetaUpdate } from './metadata/validate-object-meta.ts';
export { validateLabelSelector } from './selectors/validate-label-selector.ts';
