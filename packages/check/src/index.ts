// Manifests in, report out.
export { Checker, type LoadedCheck, loadCheck, type RunOptions } from './check.ts';
export {
  NothingToCheckError,
  type PreparedCheck,
  type PrepareOptions,
  prepareCheck,
} from './requests/prepare-check.ts';
export type { CheckedObject, Report } from './report/report.ts';
export type { Finding, Verdict } from './report/findings.ts';

// Any policies and an object in, a verdict out.
export {
  type PrepareChainOptions,
  type PreparedChain,
  prepareChain,
} from './chain/prepare-chain.ts';
export { admitObject, type ObjectRequest } from './chain/admit-object.ts';
export type { RequestUser } from './requests/user.ts';

// All policies of a cluster in one chain: read a request, mutate it, validate it, or both in a row.
export { type Chain, type ChainOptions, loadChain } from './chain/chain.ts';
export { type ChainRequest, readRequest } from './chain/request.ts';
export type { StepAnswer } from './chain/step.ts';
export { type MutationAnswer, mutateRequest } from './chain/mutate-request.ts';
export { validateRequest } from './chain/validate-request.ts';
export { type Passage, passRequest } from './chain/pass-request.ts';

// Why policies decide as they do.
export { Explainer, type ExplainerOptions } from './explain/explainer.ts';
export type { Explanation } from './explain/explanation.ts';

// Tests of Kyverno policies.
export { type KyvernoTestOptions, KyvernoTestRun } from './kyverno-tests/run-test.ts';
