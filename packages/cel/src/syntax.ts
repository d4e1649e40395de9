// Expressions as trees, for tools that read, print and rewrite them; who evaluates needs none of it.

export type { Expression } from './syntax/expression.ts';
export type { ParseOptions } from './syntax/expression-parser.ts';
export { ExpressionBuilder, type Macro } from './syntax/macro.ts';
export { type ParseResult, parseExpression } from './syntax/parser.ts';
export { type PrintOptions, printExpression } from './syntax/print-expression.ts';
