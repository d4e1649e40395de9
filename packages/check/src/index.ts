// Manifests in, report out.
export { Checker, type LoadedCheck, loadCheck, type PluginRun, type RunOptions } from './check.ts';
export { prepareCheck } from './requests/prepare-check.ts';
export type { PrepareOptions } from './requests/prepare-options.ts';
export type { PlannedCheck, PreparedCheck, PreparedRequest } from './requests/planned-check.ts';
export { NothingToCheckError } from './requests/sorted-inputs.ts';
export type { FieldValidation, ReportProblem } from './requests/field-validation.ts';
export {
  type CheckedObject,
  type Outcome,
  outcomeOf,
  type Report,
  rowsOf,
  shownName,
} from './report/report.ts';
export type { Coverage } from './report/coverage.ts';

// The same for many manifests, whose requests are made and checked one by one.
export { planCheck } from './requests/prepare-check.ts';
export type { CheckPlan } from './requests/planned-check.ts';
export { ObjectChecker, reportFrame } from './check.ts';

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
