// The machine interface: cases in, answers out

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
export type { GroupVersionKind } from './match/kind.ts';
export { type Labels, labelsOf } from './match/selector.ts';
export { type RequestFacts, type User, unknownUser } from './match/subject.ts';
export { type Evaluation, mutatePolicy, validatePolicy } from './policy/engine.ts';
export { compileException, type Exception } from './policy/exceptions.ts';
export { compilePolicy, type Policy } from './policy/policy.ts';
export type { Request } from './policy/request.ts';
export type { FailureAction, RuleResult, RuleStatus, RuleType } from './policy/rule-result.ts';
// Text
export { toJsonText } from './values/json-text.ts';
