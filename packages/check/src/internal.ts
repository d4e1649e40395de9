// For the programs of kubeadmit, in addition to the index; unstable.

export {
  type CheckPlan,
  type PlannedCheck,
  type PreparedRequest,
  planCheck,
} from './requests/prepare-check.ts';
export {
  type FieldValidation,
  type ReportProblem,
  strictRefusal,
} from './requests/field-validation.ts';
export { ObjectChecker, type PluginRun, reportFrame } from './check.ts';
export { type Outcome, outcomeOf, rowsOf, shownName } from './report/report.ts';
export { CoverageRecorder } from './report/coverage.ts';
export { failedExpressions } from './failed-expressions.ts';
export { unmatchedReasons } from './unmatched.ts';
export { inInputOrder } from './mutate/input-order.ts';
export { askedFacts } from './explain/exact-reason.ts';
export { bindingsOf, explainUnevaluated } from './explain/unevaluated.ts';
export { decisiveLine, isFailingTurn, type SeenValues } from './explain/decisive-line.ts';
export { type ResultWords, resultWord } from './explain/evaluation-results.ts';
export { FindingLines } from './finding-lines.ts';
