// Shared with other packages of kubeadmit; unstable.

// Manifests by their purpose
export { objectKey, requireGiven } from './inputs/inputs.ts';
export { readStatics } from './inputs/static-manifests.ts';

// Problems of manifests
export { gatekeeperAdvice, isOfGatekeeper } from './inputs/configuration.ts';
export { policyFindings } from './cluster-issues.ts';
export { matchAdvice } from './policies/match-advice.ts';
export { specReader } from './policies/policy-spec.ts';
export { groupOfMisplacedPolicy } from './inputs/misplaced-policy.ts';
export type { KnownIssues } from './find-issues.ts';
export { startOf } from './expressions/expression-start.ts';
export { type ExpressionRole, writtenExpressions } from './expressions/policy-expressions.ts';
