import type { CheckedExpression } from '../declarations/checked-expression.ts';
import type { FunctionImplementation } from '../declarations/function-declaration.ts';
import { childrenOf, type Expression } from '../syntax/expression.ts';
import { isList } from '../values/kind.ts';
import { goFormOf, markSum } from '../values/origin.ts';
import type { Planning } from './planning.ts';

/** An addition that remembers which lists are sums, if that can matter: the error about a key depends on it. */
export function rememberingSums(
  planning: Planning,
  add: FunctionImplementation,
): FunctionImplementation {
  const { checked } = planning;
  planning.tellsSums ??= mayHaveListAsKey(checked, checked.expression);
  if (!planning.tellsSums) return add;
  return (left, right) => {
    const sum = add(left, right);
    if (!isList(sum)) return sum;
    const isOne = sum === left || sum === right;
    // A Go list and any other list, even an empty one, become a plain list.
    if (goFormOf(left) !== undefined) return isOne ? [...sum] : sum;
    if (!isOne) markSum(sum);
    return sum;
  };
}

const keyKinds: ReadonlySet<string | undefined> = new Set([
  'bool',
  'double',
  'int',
  'string',
  'uint',
]);

function mayHaveListAsKey(checked: CheckedExpression, expression: Expression): boolean {
  if (
    expression.kind === 'call' &&
    (expression.function === '_[_]' || expression.function === '_[?_]')
  ) {
    const key = expression.arguments[1];
    if (key !== undefined && !keyKinds.has(checked.types[key.id]?.kind) && key.kind !== 'literal') {
      return true;
    }
  }
  return childrenOf(expression).some((child) => mayHaveListAsKey(checked, child));
}
