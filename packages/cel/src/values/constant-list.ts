import type { Value } from './value.ts';

const constantLists = new WeakSet<readonly Value[]>();

/** Marks a list that stands in an expression, so that it is not taken for one of the data. */
export function markConstant(list: readonly Value[]): readonly Value[] {
  constantLists.add(list);
  return list;
}

/** Whether a list stands in an expression: cel-go holds its elements as values of CEL. */
export function isConstantList(list: readonly Value[]): boolean {
  return constantLists.has(list);
}
