import { ownCostSize } from '../declarations/costs.ts';
import type { Library } from '../declarations/library.ts';
import { functionsOf } from '../standard/functions-of.ts';
import { listContains } from '../values/equal.ts';
import type { CelError, Value } from '../values/value.ts';

function contains(list: readonly Value[], sublist: readonly Value[]): boolean | CelError {
  for (const value of sublist) {
    const result = listContains(list, value);
    if (result !== true) return result;
  }
  return true;
}

function equivalent(left: readonly Value[], right: readonly Value[]): boolean | CelError {
  const result = contains(left, right);
  return result === true ? contains(right, left) : result;
}

function intersects(left: readonly Value[], right: readonly Value[]): boolean {
  return left.some((value) => listContains(right, value) === true);
}

const ofTwo = '(list<A>, list<A>) -> bool';

function product(factor: number) {
  return (_: Value, left: Value, right: Value): number =>
    1 + ownCostSize(left) * ownCostSize(right) * factor;
}

/**
 * Lists as sets (cel-go's `ext.Sets`); elements are compared as by `==`.
 *
 * - `sets.contains([1, 2], [1])` is true: every element of the second is in the first.
 * - `sets.equivalent([1], [1, 1])` is true: each contains the other.
 * - `sets.intersects([1], [1, 2])` is true: they have an element in common.
 */
export const setsLibrary: Library = {
  name: 'sets',
  functions: functionsOf([
    ['sets.contains', 'list_sets_contains_list', ofTwo, contains, { chargedFirst: true }],
    ['sets.equivalent', 'list_sets_equivalent_list', ofTwo, equivalent, { chargedFirst: true }],
    ['sets.intersects', 'list_sets_intersects_list', ofTwo, intersects, { chargedFirst: true }],
  ]),
  overloadCosts: {
    list_sets_contains_list: product(1),
    list_sets_equivalent_list: product(2),
    list_sets_intersects_list: product(1),
  },
};
