// Policies of Kyverno, read.

// Objects as Kyverno holds them.
export { jsonOf, policyJson } from './json.ts';
// Variables that are not closed.
export { unknownMatchKinds } from './match-kinds.ts';
export {
  type ClassicPolicy,
  type KyvernoExceptions,
  type KyvernoPolicies,
  readKyvernoExceptions,
  readKyvernoPolicies,
} from './policies.ts';
// What Kyverno would refuse, at its place.
export { type ManifestSource, manifestSource, refusedPolicies } from './refused-policies.ts';
// What the definitions of Kyverno refuse, and fields that they do not have.
export { findUnknownKyvernoFields, refusedBySchema } from './schema-issues.ts';
export { unclosedVariables, unknownFunctions } from './variables.ts';
