// The machine interface: cases in, answers out

// Policies in CEL
export { type CelException, readCelException } from './cel-policies/exceptions.ts';
export { type ExistingResponse, mutateExisting } from './cel-policies/existing.ts';
export { type MutatingResponse, mutateRequest } from './cel-policies/mutating.ts';
export {
  askNativePolicy,
  isNativeKind,
  type NativePolicy,
  type NativeResponse,
  readNativePolicy,
} from './cel-policies/native.ts';
export {
  type CelPolicy,
  type CompileOptions,
  compileCelPolicy,
} from './cel-policies/policy.ts';
export type { CelRequest, CelResult } from './cel-policies/request.ts';
export type { CelSources, ResourceQuery } from './cel-policies/sources.ts';
export { type CelResponse, validatePayload, validateRequest } from './cel-policies/validating.ts';
// Policies and requests
export type { ContextSources, SourceAnswer } from './context/sources.ts';
// JMESPath in Kyverno's dialect
export {
  compileExpression,
  type Expression,
  type SearchOptions,
  search,
} from './jmespath/expression.ts';
export { Failure } from './jmespath/failure.ts';
export {
  answerConditions,
  answerJmesPath,
  answerSubstitute,
  type ConditionsAnswer,
  type ConditionsCase,
  type JmesPathCase,
  prepareConditions,
  type SubstituteCase,
  type ValueAnswer,
} from './machine.ts';
export {
  type AutogenAnswer,
  type AutogenCase,
  answerAutogen,
  answerRules,
  prepareRules,
  type RulesAnswer,
  type RulesCase,
} from './machine-rules.ts';
export {
  type ApplyOptions,
  applyPolicies,
  applyPoliciesInSteps,
  type PolicyResponse,
  type RequestSetting,
} from './policy/apply-policies.ts';
export { type Configuration, compileConfiguration } from './policy/configuration.ts';
export { compileException, type Exception } from './policy/exception.ts';
export { compilePolicy, type Policy } from './policy/policy.ts';
export type { FailureAction, RuleResult, RuleStatus, RuleType } from './policy/rule-result.ts';
export { allSteps, lateMessage, type Steps } from './policy/steps.ts';
export { type GivenUser, readUser } from './policy/user.ts';
export type { Problem } from './policy-validation/problem.ts';
export { findSchemaProblems, type SchemaProblem } from './policy-validation/schema-problems.ts';
export { type PolicyVerdict, validatePolicyObject } from './policy-validation/validate-policy.ts';
// Values and text
export { matchesWildcard } from './match/wildcard.ts';
