import { doubleValue, makeDouble } from './kind.ts';
import type { Value } from './value.ts';

/** The operators that most often get small ints or doubles. */
export type Arithmetic = '_+_' | '_-_' | '_*_' | '_/_' | '_%_';

/** Whether a function is one of these operators. */
export function isArithmetic(name: string): name is Arithmetic {
  return /^_[-+*/%]_$/.test(name);
}

/** Applies an operator to two small ints or two doubles. Returns `undefined` for other values and for errors. */
export function compute(operator: Arithmetic, left: Value, right: Value): Value | undefined {
  const double = doubleValue(left);
  if (double !== undefined) {
    const other = doubleValue(right);
    return other === undefined || operator === '_%_'
      ? undefined
      : makeDouble(apply(operator, double, other));
  }
  if (!isSmall(left) || !isSmall(right)) return undefined;
  const result = apply(operator, left, right);
  const int = operator === '_/_' ? Math.trunc(result) : result;
  return Number.isSafeInteger(int) ? int + 0 : undefined;
}

/** Whether a value is an int that every number of JavaScript can hold. */
function isSmall(value: Value): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function apply(operator: Arithmetic, left: number, right: number): number {
  switch (operator) {
    case '_+_':
      return left + right;
    case '_-_':
      return left - right;
    case '_*_':
      return left * right;
    case '_/_':
      return left / right;
    default:
      return left % right;
  }
}
