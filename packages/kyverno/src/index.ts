// The machine interface: cases in, answers out

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
  type SubstituteCase,
  type ValueAnswer,
} from './machine.ts';
export {
  type AutogenAnswer,
  type AutogenCase,
  answerAutogen,
  answerRules,
  type RulesAnswer,
  type RulesCase,
} from './machine-rules.ts';
// Text
export { toJsonText } from './values/json-text.ts';
