// Policies of Kyverno, read.

// Exceptions that no longer apply.
export { expiredExceptions } from './expired-exceptions.ts';
// Variables that are not closed.
export { unknownMatchKinds } from './match-kinds.ts';
// Rejections by Kyverno, with positions.
export {
  type ManifestSource,
  manifestSource,
  refusedAuxiliaries,
  refusedPolicies,
} from './refused-policies.ts';
// Rejections by Kyverno's definitions, and unknown fields.
export { findUnknownKyvernoFields, ignoredBySchema, refusedBySchema } from './schema-issues.ts';
export { unclosedVariables, unknownFunctions } from './variables.ts';
