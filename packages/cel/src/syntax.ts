// Expressions as trees, for tools that read, print and rewrite them. Evaluation does not need this entry.

export { comparisonOperators } from './standard/operators.ts';
export type { Expression } from './syntax/expression.ts';
export {
  type CallExpression,
  type ComprehensionExpression,
  childrenOf,
  type SelectExpression,
} from './syntax/expression.ts';
export type { ParseOptions } from './syntax/expression-parser.ts';
export { ExpressionBuilder, type Macro } from './syntax/macro.ts';
export { declaredVariables, declaresVariables, loopMacros } from './syntax/macro-variables.ts';
export { type ParseResult, parseExpression } from './syntax/parser.ts';
export { type PrintOptions, printExpression } from './syntax/print-expression.ts';
export { isReservedWord, keywords } from './syntax/reserved-words.ts';
export { Source } from './syntax/source.ts';
