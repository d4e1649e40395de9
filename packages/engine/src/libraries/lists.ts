import { CelError, Double, Duration, type Library, Uint, type Value } from '@kubeadmit/cel';
import { type FunctionRow, functionsOf } from '@kubeadmit/cel/declarations';
import {
  add,
  compare,
  isAddable,
  isComparable,
  isEqual,
  isList,
  noOverload,
} from '@kubeadmit/cel/values';

const comparableTypes = 'int uint double bool duration timestamp string bytes'.split(' ');

const summableTypes: readonly (readonly [type: string, zero: Value])[] = [
  ['int', 0],
  ['uint', new Uint(0n)],
  ['double', new Double(0)],
  ['duration', new Duration(0n)],
];

function isSorted(list: readonly Value[]): Value {
  for (const [index, value] of list.entries()) {
    if (!isComparable(value)) return noOverloadFor(value);
    const previous = list[index - 1];
    // Neighbours that cannot be compared count as sorted.
    if (previous !== undefined && isPositive(compare(previous, value))) return false;
  }
  return true;
}

/** An item that is an error is the result itself. */
function noOverloadFor(item: Value): CelError {
  return item instanceof CelError ? item : noOverload();
}

function isPositive(order: number | CelError): boolean {
  return typeof order === 'number' && order > 0;
}

function sum(list: readonly Value[], zero: Value): Value {
  let total = zero;
  for (const value of list) {
    if (!isAddable(value)) return noOverloadFor(value);
    total = add(total, value);
    if (total instanceof CelError) return total;
  }
  return total;
}

function extreme(name: 'max' | 'min', list: readonly Value[]): Value {
  const sign = name === 'max' ? -1 : 1;
  let best: Value | undefined;
  for (const value of list) {
    if (!isComparable(value)) return noOverloadFor(value);
    if (best === undefined) {
      best = value;
      continue;
    }
    const order = compare(best, value);
    if (typeof order === 'number' && order * sign > 0) best = value;
  }
  return best ?? new CelError(`${name} called on empty list`);
}

function indexOf(list: readonly Value[], value: Value): Value {
  return list.findIndex((element) => isEqual(element, value));
}

function lastIndexOf(list: readonly Value[], value: Value): Value {
  return list.findLastIndex((element) => isEqual(element, value));
}

function includes(target: Value, value: Value): Value {
  return isList(target)
    ? target.some((element) => isEqual(element, value))
    : isEqual(target, value);
}

/**
 * Kubernetes' functions on lists, version 0 (apiserver pkg/cel/library/lists.go).
 *
 * - `[1, 2].isSorted()` is true; `[1, 2].sum()` is 3; `[1, 2].min()` is 1, `[1, 2].max()` is 2.
 * - `[1, 2, 1].indexOf(1)` is 0 and `[1, 2, 1].lastIndexOf(1)` is 2.
 */
export const kubernetesListsLibrary: Library = {
  name: 'kubernetes.lists',
  functions: functionsOf([
    ...comparableTypes.map((type) =>
      row('isSorted', `list_${type}_is_sorted_bool`, `list<${type}>.() -> bool`, isSorted),
    ),
    ...summableTypes.map(([type, zero]) =>
      row('sum', `list_${type}_sum_${type}`, `list<${type}>.() -> ${type}`, (list) =>
        sum(list, zero),
      ),
    ),
    ...(['max', 'min'] as const).flatMap((which) =>
      comparableTypes.map((type) =>
        row(which, `list_${type}_${which}_${type}`, `list<${type}>.() -> ${type}`, (list) =>
          extreme(which, list),
        ),
      ),
    ),
    ['indexOf', 'list_a_index_of_int', 'list<A>.(A) -> int', indexOf],
    ['lastIndexOf', 'list_a_last_index_of_int', 'list<A>.(A) -> int', lastIndexOf],
  ]),
};

function row(
  name: string,
  id: string,
  signature: string,
  evaluate: (list: readonly Value[]) => Value,
): FunctionRow {
  return [name, id, signature, evaluate];
}

/** Additions of version 1 of {@link kubernetesListsLibrary}: `[1, 2].includes(1)`, which is true. */
export const includesLibrary: Library = {
  name: 'kubernetes.lists.includes',
  functions: functionsOf([['includes', 'list_includes_dyn_dyn', 'dyn.(dyn) -> bool', includes]]),
};
