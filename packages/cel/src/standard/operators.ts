import type { FunctionDeclaration, Overload } from '../declarations/function-declaration.ts';
import { overload } from '../declarations/signature.ts';
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
import { noOverload } from '../values/no-overload.ts';
import { CelError, Duration, Uint, type Value } from '../values/value.ts';

// The operators of CEL (cel-spec, "Functions"). The planner implements `&&`, `||`, `?:`, `==`, `!=` and indexes
// itself.

/** The functions of the operators that compare two values: `==`, `!=`, `<`, `<=`, `>`, `>=`. */
export const comparisonOperators: ReadonlySet<string> = new Set([
  '_==_',
  '_!=_',
  '_<_',
  '_<=_',
  '_>_',
  '_>=_',
]);

/** The name of a type in the ids of overloads. */
const typeNames: Readonly<Record<string, string>> = {
  int64: 'int',
  uint64: 'uint',
  list: 'list<A>',
};

function typeOfKind(kind: string): string {
  return typeNames[kind] ?? kind;
}

/**
 * Overloads `⟨name⟩_⟨kinds⟩`, each of two arguments: of one kind (`int64`) or two (`timestamp_duration`). The result is
 * of the kind of the first, of the one that is named (`timestamp_timestamp:duration`), or of `result` for all.
 */
function overloadsOf(name: string, listed: string, result?: string): readonly Overload[] {
  return listed.split(' ').map((entry) => {
    const [kinds = '', given] = entry.split(':');
    const [left = '', right = left] = kinds.split('_');
    return overload(
      `${name}_${kinds}`,
      `(${typeOfKind(left)}, ${typeOfKind(right)}) -> ${typeOfKind(result ?? given ?? left)}`,
    );
  });
}

const sameKinds = 'double int64 uint64';
const comparedKinds =
  'bool int64 int64_double int64_uint64 uint64 uint64_double uint64_int64 double double_int64 double_uint64 string bytes timestamp duration';

const comparisonNames = ['less', 'less_equals', 'greater', 'greater_equals'] as const;

/** The ids of comparisons between numbers of different kinds, which environments may leave out. */
export const mixedComparisons: ReadonlySet<string> = new Set(
  comparisonNames.flatMap((name) =>
    (comparedKinds.match(/\w+_\w+/g) ?? []).map((kinds) => `${name}_${kinds}`),
  ),
);

function comparison(
  operator: string,
  name: (typeof comparisonNames)[number],
  holds: (order: number) => boolean,
): FunctionDeclaration {
  return {
    name: operator,
    overloads: overloadsOf(name, comparedKinds, 'bool'),
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
  if (!isMap(container)) return noOverload();
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
    singleton: (value: Value) => (typeof value === 'boolean' ? !value : noOverload()),
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
    overloads: overloadsOf(
      'add',
      'bytes double duration_duration duration_timestamp:timestamp timestamp_duration int64 list string uint64',
    ),
    singleton: add,
    accepts: isAddable,
  },
  {
    name: '_/_',
    overloads: overloadsOf('divide', sameKinds),
    singleton: divide,
    accepts: isNumber,
  },
  {
    name: '_%_',
    overloads: overloadsOf('modulo', 'int64 uint64'),
    singleton: modulo,
    accepts: (value) => isInt(value) || value instanceof Uint,
  },
  {
    name: '_*_',
    overloads: overloadsOf('multiply', sameKinds),
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
    overloads: overloadsOf(
      'subtract',
      'double duration_duration int64 timestamp_duration timestamp_timestamp:duration uint64',
    ),
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
