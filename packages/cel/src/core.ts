import type { Evaluator, EvaluatorOptions, Variables } from './evaluator.ts';
import { noOptions } from './program.ts';
import { core } from './standard/core-library.ts';
import { TextCompiler, type TextOptions } from './text-compiler.ts';

export type { Evaluator, EvaluatorOptions, Variables } from './evaluator.ts';
export { ExpressionError } from './expression-error.ts';
export type { TextOptions } from './text-compiler.ts';

// The language without regular expressions and messages of protobuf, a fifth of it, for pages that count each byte.

const compiler = new TextCompiler(core);

/**
 * As `evaluate` of `@kubeadmit/cel`, for expressions without `matches` and messages such as
 * `google.protobuf.Int64Value{value: 1}`: those throw an `ExpressionError` that says so. An environment that is given
 * has all that was declared in it.
 *
 * @example evaluate('user.age >= 18', { user: { age: 36 } }) // true
 */
export function evaluate(
  text: string,
  variables?: Variables,
  options: TextOptions & EvaluatorOptions = noOptions,
): unknown {
  return compiler.for(options).evaluator(text)(variables, options);
}

/**
 * As `parse` of `@kubeadmit/cel`, for expressions without `matches` and messages such as
 * `google.protobuf.Int64Value{value: 1}`: those throw an `ExpressionError` that says so when they are called.
 *
 * @example parse('price * 1.2')({ price: 10.5 }) // 12.6
 */
export function parse(text: string, options: TextOptions = {}): Evaluator {
  return compiler.for(options).evaluator(text);
}
