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
// What Kyverno would refuse, at its place.
export {
  type ManifestSource,
  manifestSource,
  refusedExceptions,
  refusedPolicies,
} from './refused-policies.ts';
// What the definitions of Kyverno refuse, and fields that they do not have.
export { findUnknownKyvernoFields, refusedBySchema } from './schema-issues.ts';
export { unclosedVariables, unknownFunctions } from './variables.ts';
