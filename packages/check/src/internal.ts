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
export { missingName } from './requests/missing-name.ts';
export { isAudited, isWarning } from './report/findings.ts';
export { CoverageRecorder } from './report/coverage.ts';
export { type RequestUser, requireUser, userInfo } from './requests/user.ts';
export {
  makeRequest,
  objectNamespace,
  optionsOf,
  type RequestSettings,
} from './requests/requests.ts';
export { readReview, unknownReviewFields } from './requests/review.ts';
export {
  type PolicyReportResult,
  type PolicyReportSummary,
  policyReportResult,
  policyReportSummary,
} from './report/policy-report.ts';
export { failedExpressions } from './explain/failed-expressions.ts';
export { unmatchedReasons } from './explain/unmatched.ts';
export { NamespaceAssumptions } from './report/assumed-namespaces.ts';
export {
  type Change,
  type ChangedValue,
  type ExplainedChange,
  explainChange,
  operationsOf,
} from './report/changes.ts';
export { concernedKinds } from './scan/concerned-kinds.ts';
export type { ServedKind } from './requests/served-kind.ts';
export { type PolicyMatch, policyMatches, type WebhookRule } from './scan/policy-matches.ts';
export { inInputOrder } from './mutate/input-order.ts';
export { defaultPluginsFor } from './chain/default-plugins.ts';
export type { AssumedByPlugins } from './chain/plugin-assumptions.ts';
export {
  isPoliciesOnly,
  type PluginChoice,
  pluginProblem,
  pluginsOfCases,
} from './chain/plugin-choice.ts';
export { isReadByPlugins, pluginObjects } from './requests/plugin-manifests.ts';
export { stepAnswer } from './chain/step.ts';
export { setNamespace } from './chain/set-namespace.ts';
export { expiryOf, timeToLiveLabel } from './kyverno/expiry.ts';
export type { Cleaner } from './kyverno/cleaners.ts';
export { type Generator, type GeneratorRule, policyKey } from './kyverno/generators.ts';
export { isNewerThan, type StoredObject } from './kyverno/wanted.ts';
export type { KyvernoProblem } from './kyverno/policy-problems.ts';
export { failedPassage, passMutation } from './chain/pass-request.ts';
export { askedFacts } from './explain/exact-reason.ts';
export { bindingsOf, explainUnevaluated } from './explain/unevaluated.ts';
export { evaluationOf } from './explain/observed-expressions.ts';
export { decisiveLine, isFailingTurn, type SeenValues } from './explain/decisive-line.ts';
export { FindingLines } from './explain/finding-lines.ts';
export { EvaluationObserver } from './explain/observer.ts';
export { valueText } from './explain/value-text.ts';
export {
  explainKyvernoExpressions,
  explainRules,
} from './explain/inner-expressions.ts';
export type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedExpression,
  ExplainedPart,
  ExplainedPlugin,
  ExplainedPolicy,
  ExplainedResult,
  ExplainedRule,
  ExplainedRuleStep,
  ExplainedStep,
  ExplainedTurn,
} from './explain/explanation.ts';
export type { OutsideData } from './kyverno/outside-data.ts';
export { type OutsideFiles, readOutsideFiles } from './kyverno-tests/outside-files.ts';
export { KyvernoTestRun } from './kyverno-tests/run-test.ts';
export { type ExpectedResult, readTests, type TestFile } from './kyverno-tests/test-file.ts';
export { testStructs } from './kyverno-tests/test-structs.ts';
export type { TestEntry } from './kyverno-tests/judge.ts';
export { type TestHost, TestProblem } from './kyverno-tests/test-reader.ts';
