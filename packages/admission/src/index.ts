// A cluster, and the decision about a request
export {
  type AdmissionAnswer,
  type AdmissionOutcome,
  type AdmissionResponse,
  admit,
} from './admit.ts';
export { type AdmissionReview, admitReview, type ReviewOptions } from './admit-review.ts';
export { prepareCluster } from './prepare-cluster.ts';
export { loadCluster } from './load-cluster.ts';
export type { Cluster, ClusterOptions } from './cluster.ts';

// Problems and notes of a cluster's objects
export type { ResourceNote } from './cluster-notes.ts';
export type { ResourceProblem } from './loaded-policies.ts';
export { RefusedResourcesError } from './read-cluster.ts';

// One request in steps: read it once, mutate and validate it, or decide both in one go
export { decide } from './decide.ts';
export type { Decision } from './decision.ts';
export { mutateRequest } from './mutate-request.ts';
export { plainJson } from './write/plain-json.ts';
export { type PreparedRequest, prepareRequest, type RequestOptions } from './prepare-request.ts';
export type { ParameterName } from './trace.ts';
export { validateRequest } from './validate-request.ts';

// The parts of a cluster that are not policies
export { checkDefinition } from './check-definition.ts';
export { RbacAuthorizer } from './rbac-authorizer.ts';
