// The machine interface: cases in, answers out
export { answerJmesPath, type JmesPathCase, type ValueAnswer } from './machine.ts';

// JMESPath in Kyverno's dialect
export { compileExpression, type Expression, type SearchOptions, search } from './jmespath/expression.ts';
export { Failure } from './jmespath/failure.ts';

// Text
export { toJsonText } from './values/json-text.ts';
