// A cluster and what happens to a request in it.
export {
  type AdmissionAnswer,
  type AdmissionOutcome,
  type AdmissionResponse,
  admit,
} from './admit.ts';
export { type AdmissionReview, admitReview, type ReviewOptions } from './admit-review.ts';
export { type CheckedObject, checkDefinition } from './check-definition.ts';
export type { Cluster, ClusterOptions } from './cluster.ts';
export { loadCluster } from './load-cluster.ts';
export { prepareCluster } from './prepare-cluster.ts';
export type { ResourceNote } from './cluster-notes.ts';
// One request in steps: read it once, mutate and validate it, or decide both in one go.
export { decide } from './decide.ts';
export type { Decision } from './decision.ts';
export { plainJson } from './plain-json.ts';
export type { ResourceProblem } from './loaded-policies.ts';
export { mutateInSteps, mutateRequest } from './mutate-request.ts';
export { type PreparedRequest, prepareRequest, type RequestOptions } from './prepare-request.ts';
export { RbacAuthorizer } from './rbac-authorizer.ts';
export { RefusedResourcesError } from './refused-resources-error.ts';
export type {
  BindingTrace,
  EvaluationTrace,
  MutationTrace,
  ParameterName,
  PolicyTrace,
} from './trace.ts';
export { type PolicyChange, policyRefusal } from './policy-refusal.ts';
export type { Steps } from './steps.ts';
export { validateInSteps, validateRequest } from './validate-request.ts';
