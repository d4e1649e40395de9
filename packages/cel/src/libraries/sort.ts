import { compare, isComparable } from '../values/compare.ts';
import { typeOf } from '../values/kind.ts';
import { CelError, type Value } from '../values/value.ts';
import { patternSort } from './pattern-sort.ts';

/**
 * Sorts a list by a list of keys in the same order; the keys have to be of one type that has an
 * order (cel-go's `@sortByAssociatedKeys`). Elements with equal keys come in the order that Go's
 * `sort.Slice` leaves them in.
 */
export function sortByKeys(list: readonly Value[], keys: readonly Value[]): Value {
  if (list.length !== keys.length) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    );
  }
  const [first] = keys;
  if (first === undefined) return list;
  if (!isComparable(first)) return new CelError('list elements must be comparable');
  const type = typeOf(first).name;
  if (keys.length > 1 && keys.some((key) => typeOf(key).name !== type)) {
    return new CelError('list elements must have the same type');
  }
  if (list === keys && (type === 'string' || type === 'int')) {
    // Equal elements are indistinguishable.
    return sortPlain(list);
  }
  const order = keys.map((_, index) => index);
  patternSort(order, (left, right) => {
    const compared = compare(keys[left] ?? null, keys[right] ?? null);
    return typeof compared === 'number' && compared < 0;
  });
  return order.map((index) => list[index] ?? null);
}

function sortPlain(list: readonly Value[]): Value {
  const order = (left: Value, right: Value): number => {
    const compared = compare(left, right);
    return typeof compared === 'number' ? compared : 0;
  };
  // Without surrogates the order of UTF-16 units is that of code points.
  const isPlainText = list.every(
    (value) => typeof value === 'string' && !/[\ud800-\udfff]/.test(value),
  );
  return isPlainText ? list.toSorted() : list.toSorted(order);
}
