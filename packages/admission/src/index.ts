// A cluster and what happens to a request in it.
export { type AdmissionOutcome, type AdmissionResponse, admit } from './admit.ts';
export {
  type Cluster,
  type ClusterOptions,
  loadCluster,
  prepareCluster,
} from './cluster.ts';
// One request in steps: read it once, decide it any number of times.
export { type Decision, decide } from './decide.ts';
export { plainJson } from './json-text.ts';
export type { ResourceProblem } from './loaded-policies.ts';
// What will be refused of mutations, found without a request.
export { checkMutations, type MutationProblem } from './mutation-checks/check-mutations.ts';
export { closest } from './mutation-checks/finding.ts';
export { type PreparedRequest, prepareRequest } from './prepare-request.ts';
export { RbacAuthorizer } from './rbac-authorizer.ts';
export type {
  BindingTrace,
  EvaluationTrace,
  MutationTrace,
  ParameterName,
  PolicyTrace,
} from './trace.ts';
