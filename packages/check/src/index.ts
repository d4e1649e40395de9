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

// Why policies decide as they do.
export { Explainer, type ExplainerOptions } from './explain/explainer.ts';
export type { Explanation } from './explain/explanation.ts';
