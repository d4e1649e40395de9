import type { Issue } from '../syntax/issue.ts';
import { dynType, type Type } from '../values/types.ts';
import { Environment } from './environment.ts';
import type { Evaluator, EvaluatorOptions, Variables } from './evaluator.ts';
import { ExpressionError } from './expression-error.ts';
import type { EnvironmentOptions } from './options.ts';
import { noOptions } from './program.ts';
import { compilerFor, environmentOf, standardOptions, type TextOptions } from './text-compiler.ts';

/**
 * Evaluates an expression with variables, and returns the result as a value of JavaScript: numbers (bigints where a
 * number is not exact), strings, booleans, null, `Uint8Array`, `Date`, arrays and objects.
 *
 * Recent expressions are kept planned, so that repeated ones are read once. Throws an {@link ExpressionError} for
 * whatever is wrong with the expression or its evaluation, and a `TypeError` for arguments of another kind.
 *
 * @example evaluate('user.age >= 18 && "admin" in user.groups', { user: { age: 36, groups: ['admin'] } }) // true
 */
export function evaluate(
  text: string,
  variables?: Variables,
  options: TextOptions & EvaluatorOptions = noOptions,
): unknown {
  return compilerFor(options).evaluator(text)(variables, options);
}

/**
 * Parses and checks an expression once. Call the result with the values of its variables, any number of times.
 *
 * Type errors are listed in `issues`, and thrown by calls.
 *
 * @throws ExpressionError for a syntax error
 * @example parse('price * 1.2')({ price: 10.5 }) // 12.6
 */
export function parse(text: string, options: TextOptions = {}): Evaluator {
  return compilerFor(options).evaluator(text);
}

/** Facts about an expression before evaluation. */
export interface TextCheck {
  /** Whether there are no issues. */
  readonly isValid: boolean;
  /** Issues; empty for a valid expression. */
  readonly issues: readonly Issue[];
  /** The type of the result; `dyn` where there are issues, or where it depends on the values. */
  readonly type: Type;
  /** The names of the variables that it reads. */
  readonly variables: readonly string[];
}

/**
 * Returns the issues of an expression and the type of its result, without evaluating it. Never throws for its content.
 *
 * With `variables`, types by name, only those are declared.
 *
 * @example check('age + "1"', { variables: { age: 'int' } }).issues[0]?.message
 */
export function check(
  text: string,
  options: TextOptions & Pick<EnvironmentOptions, 'variables'> = {},
): TextCheck {
  let environment = compilerFor(options);
  if (options.variables !== undefined) {
    environment = (environmentOf(options) ?? new Environment(standardOptions)).extend({
      variables: options.variables,
      unlistedVariablesAreDyn: false,
    });
  }
  try {
    const { issues, type, variables } = environment.evaluator(text);
    return { isValid: issues.length === 0, issues, type, variables };
  } catch (failure) {
    if (!(failure instanceof ExpressionError)) throw failure;
    return { isValid: false, issues: failure.issues, type: dynType, variables: [] };
  }
}
