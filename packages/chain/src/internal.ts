// Shared with other packages of kubeadmit; unstable.

// Loading and passing requests
export { requireChain } from './chain/arguments.ts';
export { NamespaceAssumptions } from './chain/assumed-namespaces.ts';
export { boundPolicies } from './chain/bound-policies.ts';
export { failedPassage, passMutation, readAndPass } from './chain/pass-request.ts';
export { setNamespace } from './chain/set-namespace.ts';
export { stepAnswer } from './chain/step.ts';

// Parts of requests
export { type AssumedSelector, assumedNamespaceTexts } from './requests/assumed-selector.ts';

// Kyverno: evaluation
export type { OutsideData } from './kyverno/outside-data.ts';
export type { KyvernoProblem } from './kyverno/policy-problems.ts';
export { type ActingStatus, actingStatus, type MatchedResource } from './kyverno/policy-status.ts';
export { kyvernoVerdict, type ObjectChange, type ObjectVerdict } from './kyverno/policy-verdict.ts';
export { timeToLiveLabel, timeToLiveOf } from './readers/kyverno-role.ts';
