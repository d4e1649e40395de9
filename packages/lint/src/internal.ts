// Shared with other packages of kubeadmit; unstable.

// Manifests by their purpose
export { definitionProblems, definitionsAmong } from './inputs/definitions.ts';
export { automaticBinding, type BindingAction } from './inputs/automatic-binding.ts';
export { settleDuplicates } from './inputs/duplicates.ts';
export { objectKey, requireGiven, type Role } from './inputs/inputs.ts';
export { readStatics } from './inputs/static-manifests.ts';

// Problems of manifests
export {
  boundPolicy,
  gatekeeperAdvice,
  isKnown,
  isOfGatekeeper,
  unknownKinds,
  unknownKindText,
  withoutBinding,
} from './inputs/configuration.ts';
export { policyFindings } from './cluster-issues.ts';
export { matchAdvice } from './policies/match-advice.ts';
export { specReader } from './policies/policy-spec.ts';
export { isBuiltinGroup } from './inputs/kind-hints.ts';
export { groupOfMisplacedPolicy } from './inputs/misplaced-policy.ts';
export { refusalProblems } from './inputs/refusal-problems.ts';
export { refusedObjects } from './inputs/refused-objects.ts';
export type { KnownIssues } from './find-issues.ts';
export { findUnknownFields, type UnknownField } from './inputs/unknown-fields.ts';
export { startOf } from './expressions/expression-start.ts';
export { type ExpressionRole, writtenExpressions } from './expressions/policy-expressions.ts';
