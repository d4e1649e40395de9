import { CelError, type Value } from '@kubeadmit/cel';
import type { Expression } from '@kubeadmit/cel/syntax';
import { type ExpressionInput, prepareExpression } from './evaluate-expression.ts';

/**
 * The place, in an expression, of the part that made the error of its evaluation: line from
 * 1, column in code points from 0. `undefined` where there is no error, or where no one part made it,
 * as when the cost limit is exceeded. Evaluates the expression once more.
 */
export function errorPlace(
  input: ExpressionInput,
): { readonly line: number; readonly column: number } | undefined {
  const prepared = prepareExpression(input, { observe: true });
  if (!('program' in prepared)) return undefined;
  const { program, values, costLimit, source } = prepared;
  const origins = new Map<Value, Expression>();
  const observe = (expression: Expression, value: Value): void => {
    if (value instanceof CelError && !origins.has(value)) origins.set(value, expression);
  };
  const origin = origins.get(program.evaluate(values, { costLimit, observe }).value);
  return origin && source.locate(origin.position);
}
