import { ownCostSize } from '../declarations/costs.ts';
import type { FunctionDeclaration } from '../declarations/function-declaration.ts';
import type { CallCost, Library } from '../declarations/library.ts';
import { overload } from '../declarations/signature.ts';
import { Cancelled } from '../plan/frame.ts';
import { functionsOf } from '../standard/functions-of.ts';
import { sortByMacro } from '../syntax/sort-by-macro.ts';
import { plainList } from '../values/concat-list.ts';
import { isEqual } from '../values/equal.ts';
import { goTypeName } from '../values/go-type.ts';
import { isInt, isList, typeOf } from '../values/kind.ts';
import { goFormOf, markLiteral } from '../values/origin.ts';
import { CelError, type Int, type Value } from '../values/value.ts';
import { sortByKeys } from './sort.ts';

const comparableTypes: readonly (readonly [name: string, type: string])[] = [
  ['int', 'int'],
  ['uint', 'uint'],
  ['double', 'double'],
  ['bool', 'bool'],
  ['google.protobuf.Duration', 'duration'],
  ['google.protobuf.Timestamp', 'timestamp'],
  ['string', 'string'],
  ['bytes', 'bytes'],
];

function slice(list: readonly Value[], start: Int, end: Int): Value {
  if (start < 0 || end < 0) {
    return new CelError(`cannot slice(${start}, ${end}), negative indexes not supported`);
  }
  if (start > end) {
    return new CelError(
      `cannot slice(${start}, ${end}), start index must be less than or equal to end index`,
    );
  }
  return end > list.length
    ? new CelError(`cannot slice(${start}, ${end}), list is length ${list.length}`)
    : list.slice(Number(start), Number(end));
}

function flatten(list: readonly Value[], depth: Int): Value {
  if (depth < 0) return new CelError('level must be non-negative');
  if (depth !== 1) return list.flat(Number(depth) as 1) as readonly Value[];
  const elements: Value[] = [];
  for (const element of plainList(list)) {
    if (isList(element)) {
      for (const inner of plainList(element)) elements.push(inner);
    } else {
      elements.push(element);
    }
  }
  return elements;
}

function flattenOnce(value: Value): Value {
  return isList(value)
    ? flatten(value, 1)
    : new CelError(`no such overload: ${typeOf(value)}.flatten()`);
}

function flattenTo(value: Value, depth: Value): Value {
  if (!isList(value) || !isInt(depth)) {
    const types = `${typeOf(value)}.flatten(${typeOf(depth)})`;
    return new CelError(`no such overload: ${types}`);
  }
  return flatten(value, depth);
}

const longestRange = 1_000_000;

function range(size: Int): Value {
  if (size < 0) return new CelError(`lists.range: size must be non-negative, got ${size}`);
  if (size > longestRange) {
    return new CelError(`lists.range: size ${size} exceeds maximum allowed (${longestRange})`);
  }
  const numbers: number[] = [];
  for (let index = 0; index < size; index++) numbers.push(index);
  // Go creates the list from CEL values, like a list literal.
  return markLiteral(numbers);
}

function distinct(list: readonly Value[]): Value {
  if (list.length === 0) return list;
  const unique: Value[] = [];
  const texts = new Set<string>();
  for (const value of list) {
    if (typeof value === 'string') {
      if (!texts.has(value)) {
        texts.add(value);
        unique.push(value);
      }
    } else if (!unique.some((known) => isEqual(value, known))) {
      unique.push(value);
    }
  }
  return unique;
}

const sort: FunctionDeclaration = {
  name: 'sort',
  overloads: comparableTypes.map(([name, type]) =>
    overload(`list_${name}_sort`, `list<${type}>.() -> list<${type}>`),
  ),
  singleton: (list: Value) => sortByKeys(list as readonly Value[], list as readonly Value[]),
  accepts: isList,
};

const sortByAssociatedKeys: FunctionDeclaration = {
  name: '@sortByAssociatedKeys',
  overloads: comparableTypes.map(([name, type]) =>
    overload(`list_${name}_sortByAssociatedKeys`, `list<A>.(list<${type}>) -> list<A>`),
  ),
  singleton: (list: Value, keys: Value) =>
    sortByKeys(list as readonly Value[], keys as readonly Value[]),
  accepts: isList,
};

const callAndList = 11;

function allocation(factor: number, size: number): number {
  return Math.trunc(size * (factor < 0 ? 1 : factor)) + callAndList;
}

/** Go's types that can be added, so that another method is the first that they lack to be lists. */
const addable = /^types\.(?:Bytes|Double|Duration|Int|String|Timestamp|Uint)$/;

// cel-go counts these costs also where an argument failed, and panics then.
function notListPanic(value: Value): Cancelled {
  const form = goFormOf(value)?.kind;
  const own = `*common.reflectSchemalessTyped${form === 'map' ? 'Map' : 'Struct'}`;
  const type = form === undefined ? goTypeName(value) : own;
  const missing = addable.test(type) ? 'Contains' : 'Add';
  return new Cancelled(
    `internal error: interface conversion: ${type} is not traits.Lister: missing method ${missing}`,
  );
}

function resultCost(result: Value): number {
  return allocation(1, ownCostSize(result));
}

function flattenCost(_: Value, list: Value, depth: Value = 1): number {
  if (!isInt(depth)) {
    throw new Cancelled(
      `internal error: interface conversion: ref.Val is ${goTypeName(depth)}, not types.Int`,
    );
  }
  return allocation(Number(depth), ownCostSize(list));
}

function selfComparisonCost(_: Value, list: Value): number {
  return selfComparison(list);
}

function keyComparisonCost(_: Value, __: Value, keys: Value): number {
  return selfComparison(keys);
}

function selfComparison(list: Value): number {
  if (!isList(list)) throw notListPanic(list);
  const [first] = list;
  const isText = typeof first === 'string' || first instanceof Uint8Array;
  return allocation(isText ? 2.1 : 2, list.length ** 2);
}

/**
 * Functions on lists (cel-go's `ext.Lists`, version 3).
 *
 * - `[1, 2, 3].slice(1, 2)` is `[2]`; `[[1], [2]].flatten()` is `[1, 2]`, with a depth if not once.
 * - `lists.range(3)` is `[0, 1, 2]`; `[1, 2].reverse()` is `[2, 1]`.
 * - `[1, 1.0, 2].distinct()` is `[1, 2]`; `["b", "a"].sort()` is `["a", "b"]`.
 * - `[1, 2].sortBy(x, -x)` is `[2, 1]`.
 */
export const listsLibrary: Library = {
  name: 'lists',
  functions: [
    ...functionsOf([
      ['slice', 'list_slice', 'list<A>.(int, int) -> list<A>', slice],
      ['flatten', 'list_flatten', 'list<list<A>>.() -> list<A>', flattenOnce, { unguarded: true }],
      [
        'flatten',
        'list_flatten_int',
        'list<dyn>.(int) -> list<dyn>',
        flattenTo,
        { unguarded: true },
      ],
      ['lists.range', 'lists_range', '(int) -> list<int>', range],
      [
        'reverse',
        'list_reverse',
        'list<A>.() -> list<A>',
        (list: readonly Value[]) => list.toReversed(),
      ],
      ['distinct', 'list_distinct', 'list<A>.() -> list<A>', distinct, { chargedFirst: true }],
    ]),
    sort,
    sortByAssociatedKeys,
  ],
  macros: [sortByMacro],
  overloadCosts: {
    list_slice: resultCost,
    list_flatten: flattenCost,
    list_flatten_int: flattenCost,
    lists_range: resultCost,
    list_reverse: resultCost,
    list_distinct: selfComparisonCost,
    ...Object.fromEntries(
      comparableTypes.flatMap(([name]): [string, CallCost][] => [
        [`list_${name}_sort`, selfComparisonCost],
        [`list_${name}_sortByAssociatedKeys`, keyComparisonCost],
      ]),
    ),
  },
};
