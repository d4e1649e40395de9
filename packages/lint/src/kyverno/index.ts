// Policies of Kyverno, read.

// Exceptions that no longer apply.
export { expiredExceptions } from './expired-exceptions.ts';
// Objects as Kyverno holds them.
export { jsonOf, policyJson } from './json.ts';
// Variables that are not closed.
export { unknownMatchKinds } from './match-kinds.ts';
export {
  type ClassicPolicy,
  type KyvernoExceptions,
  type KyvernoPolicies,
  readAcceptedExceptions,
  readKyvernoExceptions,
  readKyvernoPolicies,
} from './policies.ts';
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
