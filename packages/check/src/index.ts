// Manifests in, report out.
export {
  Checker,
  type LoadedCheck,
  loadCheck,
  type RunOptions,
} from './check.ts';
export {
  NothingToCheckError,
  type PreparedCheck,
  type FieldValidation,
  type PreparedRequest,
  type PrepareOptions,
  prepareCheck,
  type ReportProblem,
} from './requests/prepare-check.ts';
export {
  type CheckedObject,
  countVerdicts,
  type Outcome,
  outcomeOf,
  type Report,
  rowsOf,
} from './report/report.ts';
export type { Coverage } from './report/coverage.ts';
export { type RequestUser, userInfo } from './requests/user.ts';
export {
  type MadeRequest,
  makeRequest,
  optionsOf,
  type RequestSettings,
} from './requests/requests.ts';
export { type ReadReview, readReview } from './requests/review.ts';
export { type Finding, parameterText, type Verdict } from './report/findings.ts';
export {
  type PolicyReportResult,
  type PolicyReportSummary,
  type PolicyResult,
  policyReportResult,
  policyReportSummary,
} from './report/policy-report.ts';
export { NamespaceAssumptions } from './report/assumed-namespaces.ts';
export { type Change, type ChangedValue, operationsOf } from './report/changes.ts';
export { inInputOrder } from './mutate/input-order.ts';
// All policies of a cluster in one chain: read a request, mutate it, validate it, or both in a row.
export { type Chain, type ChainOptions, loadChain } from './chain/chain.ts';
export { type ChainRequest, readRequest } from './chain/request.ts';
export { type StepAnswer, stepAnswer } from './chain/step.ts';
export { type MutationAnswer, mutateRequest } from './chain/mutate-request.ts';
export { validateRequest } from './chain/validate-request.ts';
export { failedPassage, type Passage, passMutation, passRequest } from './chain/pass-request.ts';
// Why policies decide as they do.
export { Explainer, type ExplainerOptions } from './explain/explainer.ts';
export { EvaluationObserver } from './explain/observer.ts';
export type {
  ExplainedBinding,
  ExplainedChange,
  ExplainedEvaluation,
  ExplainedExpression,
  ExplainedPart,
  ExplainedPolicy,
  ExplainedResult,
  ExplainedRule,
  ExplainedStep,
  ExplainedTurn,
  Explanation,
} from './explain/explanation.ts';
// Tests of Kyverno policies.
export { type KyvernoTestOptions, KyvernoTestRun } from './kyverno-tests/run-test.ts';
export { type ExpectedResult, readTests, type TestFile } from './kyverno-tests/test-file.ts';
export type { TestEntry } from './kyverno-tests/judge.ts';
export type { TestHost } from './kyverno-tests/test-reader.ts';
