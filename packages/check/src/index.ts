// Manifests in, report out.
export { Checker, type LoadedCheck, loadCheck, type RunOptions } from './check.ts';
export {
  NothingToCheckError,
  type PreparedCheck,
  type PrepareOptions,
  prepareCheck,
} from './requests/prepare-check.ts';
export type { CheckedObject, Report } from './report/report.ts';

// Any policies and an object in, a verdict out.
export { type PrepareChainOptions, type PreparedChain, prepareChain } from './prepare-chain.ts';
export { admitObject, type ObjectRequest } from './admit-object.ts';

// Why policies decide as they do.
export { Explainer, type ExplainerOptions } from './explain/explainer.ts';
export type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedFilter,
  ExplainedFilters,
  ExplainedPlugin,
  ExplainedPolicy,
  ExplainedResult,
  ExplainedRule,
  ExplainedRuleStep,
  Explanation,
} from './explain/explanation.ts';

// Types of `@kubeadmit/chain` in the above.
export type { Finding, RequestUser, Verdict } from '@kubeadmit/chain';
