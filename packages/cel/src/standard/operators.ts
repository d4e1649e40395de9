import type { FunctionDeclaration, Overload } from '../function-declaration.ts';
import {
  add,
  divide,
  isAddable,
  isNumber,
  isSubtractable,
  modulo,
  multiply,
  negate,
  subtract,
} from '../values/arithmetic.ts';
import { compare, isComparable } from '../values/compare.ts';
import { listContains } from '../values/equal.ts';
import { goKeyProblem } from '../values/go-form.ts';
import { isInt, isList, isMap } from '../values/kind.ts';
import { mapGet } from '../values/maps.ts';
import { CelError, Duration, Uint, type Value } from '../values/value.ts';
import { overload } from './signature.ts';

// The operators of CEL (cel-spec, "Functions"); the planner has forms of its own for `&&`, `||`,
// `?:`, `==`, `!=` and indexes, which need no implementation here.

/** The functions of the operators that compare two values: `==`, `!=`, `<`, `<=`, `>`, `>=`. */
export const comparisonOperators: ReadonlySet<string> = new Set([
  '_==_',
  '_!=_',
  '_<_',
  '_<=_',
  '_>_',
  '_>=_',
]);

const typeNames: Readonly<Record<string, string>> = { int64: 'int', uint64: 'uint' };

/** Overloads `⟨name⟩_⟨kind⟩` that take two of a kind and give one. */
function closed(name: string, kinds: readonly string[]): readonly Overload[] {
  return kinds.map((kind) => {
    const type = typeNames[kind] ?? kind;
    return overload(`${name}_${kind}`, `(${type}, ${type}) -> ${type}`);
  });
}

const comparedKinds = [
  ['bool', 'bool'],
  ['int64', 'int64'],
  ['int64', 'double'],
  ['int64', 'uint64'],
  ['uint64', 'uint64'],
  ['uint64', 'double'],
  ['uint64', 'int64'],
  ['double', 'double'],
  ['double', 'int64'],
  ['double', 'uint64'],
  ['string', 'string'],
  ['bytes', 'bytes'],
  ['timestamp', 'timestamp'],
  ['duration', 'duration'],
] as const;

const comparisonNames = ['less', 'less_equals', 'greater', 'greater_equals'] as const;

function comparisonId(name: string, left: string, right: string): string {
  return left === right ? `${name}_${left}` : `${name}_${left}_${right}`;
}

/** The ids of comparisons between numbers of different kinds, which environments may leave out. */
export const mixedComparisons: ReadonlySet<string> = new Set(
  comparisonNames.flatMap((name) =>
    comparedKinds
      .filter(([left, right]) => left !== right)
      .map(([left, right]) => comparisonId(name, left, right)),
  ),
);

function comparison(
  operator: string,
  name: (typeof comparisonNames)[number],
  holds: (order: number) => boolean,
): FunctionDeclaration {
  return {
    name: operator,
    overloads: comparedKinds.map(([left, right]) =>
      overload(
        comparisonId(name, left, right),
        `(${typeNames[left] ?? left}, ${typeNames[right] ?? right}) -> bool`,
      ),
    ),
    singleton(left: Value, right: Value) {
      const order = compare(left, right);
      return order instanceof CelError ? order : holds(order);
    },
    accepts: isComparable,
  };
}

function contains(value: Value, container: Value): Value {
  if (
    typeof value === 'string' &&
    typeof container === 'object' &&
    container !== null &&
    container.constructor === Object
  ) {
    return Object.hasOwn(container, value);
  }
  if (isList(container)) return listContains(container, value);
  if (!isMap(container)) return new CelError('no such overload');
  const found = goKeyProblem(container, value) ?? mapGet(container, value);
  return found instanceof CelError ? found : found !== undefined;
}

export const operators: readonly FunctionDeclaration[] = [
  { name: '_?_:_', overloads: [overload('conditional', '(bool, A, A) -> A')] },
  { name: '_&&_', overloads: [overload('logical_and', '(bool, bool) -> bool')] },
  { name: '_||_', overloads: [overload('logical_or', '(bool, bool) -> bool')] },
  {
    name: '!_',
    overloads: [overload('logical_not', '(bool) -> bool')],
    singleton: (value: Value) =>
      typeof value === 'boolean' ? !value : new CelError('no such overload'),
  },
  {
    name: '@not_strictly_false',
    overloads: [
      overload('not_strictly_false', '(bool) -> bool', {
        nonStrict: true,
        unguarded: true,
        evaluate: (value: Value) => (typeof value === 'boolean' ? value : true),
      }),
    ],
  },
  { name: '_==_', overloads: [overload('equals', '(A, A) -> bool')] },
  { name: '_!=_', overloads: [overload('not_equals', '(A, A) -> bool')] },
  {
    name: '_+_',
    overloads: [
      overload('add_bytes', '(bytes, bytes) -> bytes'),
      overload('add_double', '(double, double) -> double'),
      overload('add_duration_duration', '(duration, duration) -> duration'),
      overload('add_duration_timestamp', '(duration, timestamp) -> timestamp'),
      overload('add_timestamp_duration', '(timestamp, duration) -> timestamp'),
      overload('add_int64', '(int, int) -> int'),
      overload('add_list', '(list<A>, list<A>) -> list<A>'),
      overload('add_string', '(string, string) -> string'),
      overload('add_uint64', '(uint, uint) -> uint'),
    ],
    singleton: add,
    accepts: isAddable,
  },
  {
    name: '_/_',
    overloads: closed('divide', ['double', 'int64', 'uint64']),
    singleton: divide,
    accepts: isNumber,
  },
  {
    name: '_%_',
    overloads: closed('modulo', ['int64', 'uint64']),
    singleton: modulo,
    accepts: (value) => isInt(value) || value instanceof Uint,
  },
  {
    name: '_*_',
    overloads: closed('multiply', ['double', 'int64', 'uint64']),
    singleton: multiply,
    accepts: isNumber,
  },
  {
    name: '-_',
    overloads: [
      overload('negate_double', '(double) -> double'),
      overload('negate_int64', '(int) -> int'),
    ],
    singleton: negate,
    accepts: (value) =>
      (isNumber(value) && !(value instanceof Uint)) ||
      typeof value === 'boolean' ||
      value instanceof Duration,
  },
  {
    name: '_-_',
    overloads: [
      overload('subtract_double', '(double, double) -> double'),
      overload('subtract_duration_duration', '(duration, duration) -> duration'),
      overload('subtract_int64', '(int, int) -> int'),
      overload('subtract_timestamp_duration', '(timestamp, duration) -> timestamp'),
      overload('subtract_timestamp_timestamp', '(timestamp, timestamp) -> duration'),
      overload('subtract_uint64', '(uint, uint) -> uint'),
    ],
    singleton: subtract,
    accepts: isSubtractable,
  },
  comparison('_<_', 'less', (order) => order < 0),
  comparison('_<=_', 'less_equals', (order) => order <= 0),
  comparison('_>_', 'greater', (order) => order > 0),
  comparison('_>=_', 'greater_equals', (order) => order >= 0),
  {
    name: '_[_]',
    overloads: [
      overload('index_list', '(list<A>, int) -> A'),
      overload('index_map', '(map<A, B>, A) -> B'),
    ],
  },
  {
    name: '@in',
    overloads: [
      overload('in_list', '(A, list<A>) -> bool'),
      overload('in_map', '(A, map<A, B>) -> bool'),
    ],
    singleton: contains,
  },
];
