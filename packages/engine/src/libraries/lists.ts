import {
  CelError,
  Double,
  Duration,
  type Library,
  type Type,
  Uint,
  type Value,
} from '@kubeadmit/cel';
import {
  add,
  boolType,
  bytesType,
  compare,
  doubleType,
  durationType,
  dynType,
  intType,
  isAddable,
  isComparable,
  isEqual,
  isList,
  listOf,
  stringType,
  timestampType,
  typeParameter,
  uintType,
} from '@kubeadmit/cel/internal';
import { declare, member, noSuchOverload } from './declare.ts';

const comparableTypes: readonly (readonly [name: string, type: Type])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];

const summableTypes: readonly (readonly [name: string, type: Type, zero: Value])[] = [
  ['int', intType, 0],
  ['uint', uintType, new Uint(0n)],
  ['double', doubleType, new Double(0)],
  ['duration', durationType, new Duration(0n)],
];

const elementType = typeParameter('A');

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
  return item instanceof CelError ? item : noSuchOverload();
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
  functions: [
    declare(
      'isSorted',
      ...comparableTypes.map(([name, type]) =>
        member(`list_${name}_is_sorted_bool`, [listOf(type)], boolType, isSorted),
      ),
    ),
    declare(
      'sum',
      ...summableTypes.map(([name, type, zero]) =>
        member(`list_${name}_sum_${name}`, [listOf(type)], type, (list: readonly Value[]) =>
          sum(list, zero),
        ),
      ),
    ),
    ...(['max', 'min'] as const).map((which) =>
      declare(
        which,
        ...comparableTypes.map(([name, type]) =>
          member(`list_${name}_${which}_${name}`, [listOf(type)], type, (list: readonly Value[]) =>
            extreme(which, list),
          ),
        ),
      ),
    ),
    declare(
      'indexOf',
      member('list_a_index_of_int', [listOf(elementType), elementType], intType, indexOf),
    ),
    declare(
      'lastIndexOf',
      member('list_a_last_index_of_int', [listOf(elementType), elementType], intType, lastIndexOf),
    ),
  ],
};

/** What version 1 of {@link kubernetesListsLibrary} adds: `[1, 2].includes(1)`, which is true. */
export const includesLibrary: Library = {
  name: 'kubernetes.lists.includes',
  functions: [
    declare('includes', member('list_includes_dyn_dyn', [dynType, dynType], boolType, includes)),
  ],
};
