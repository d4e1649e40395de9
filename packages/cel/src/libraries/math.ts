import { roundFloat64 } from '@kubeadmit/go';
import type { FunctionImplementation } from '../declarations/function-declaration.ts';
import type { Library } from '../declarations/library.ts';
import { type FunctionRow, functionsOf } from '../standard/functions-of.ts';
import { compare, numberKind } from '../values/compare.ts';
import { doubleValue, makeDouble, makeInt } from '../values/kind.ts';
import { CelError, type Int, Uint, type Value } from '../values/value.ts';
import { mathMacros } from './math-macros.ts';

type NumberName = 'double' | 'int' | 'uint';

const pairs: readonly (readonly [left: NumberName, right: NumberName])[] = [
  ['double', 'double'],
  ['int', 'int'],
  ['uint', 'uint'],
  ['int', 'uint'],
  ['int', 'double'],
  ['double', 'int'],
  ['double', 'uint'],
  ['uint', 'int'],
  ['uint', 'double'],
];

const kinds: readonly NumberName[] = ['double', 'int', 'uint'];

/** `math.@min` or `math.@max`: the macros of both turn more than two arguments into a list. */
function extreme(
  name: 'min' | 'max',
  takesSecond: (order: number) => boolean,
): readonly FunctionRow[] {
  const full = `math.@${name}`;
  const choose = (first: Value, second: Value): Value => {
    const order = compare(first, second);
    if (order instanceof CelError) return new CelError(`${order.message}: ${full}`);
    return takesSecond(order) ? second : first;
  };
  const chooseFromList = (list: readonly Value[]): Value => {
    const [first, ...rest] = list;
    if (first === undefined) return new CelError(`${full}(list) argument must not be empty`);
    const chosen = rest.reduce(
      (best, value) => (best instanceof CelError ? best : choose(best, value)),
      first,
    );
    return numberKind(chosen) === undefined ? new CelError(`no such overload: ${full}`) : chosen;
  };
  return [
    ...kinds.map((kind) => row(full, kind, `(${kind}) -> ${kind}`, (value) => value)),
    ...pairs.map(([left, right]) =>
      row(
        full,
        `${left}_${right}`,
        `(${left}, ${right}) -> ${left === right ? left : 'dyn'}`,
        choose,
      ),
    ),
    ...kinds.map((kind) => row(full, `list_${kind}`, `(list<${kind}>) -> ${kind}`, chooseFromList)),
  ];
}

/** A function of a name such as `math.ceil`; ids of overloads end with the types of their arguments. */
function row(
  name: string,
  suffix: string,
  signature: string,
  evaluate: FunctionImplementation,
): FunctionRow {
  return [name, `${name.replace('.', '_')}_${suffix}`, signature, evaluate];
}

function onDouble(name: string, compute: (value: number) => number): FunctionRow {
  return row(name, 'double', '(double) -> double', (value) => makeDouble(compute(numberOf(value))));
}

function testDouble(name: string, test: (value: number) => boolean): FunctionRow {
  return row(name, 'double', '(double) -> bool', (value) => test(numberOf(value)));
}

function numberOf(value: Value): number {
  return doubleValue(value) ?? Number.NaN;
}

/** 0 for both zeros, unlike `Math.sign`. */
function signOf(value: number): number {
  return value === 0 ? 0 : Math.sign(value);
}

const signedness: readonly FunctionRow[] = [
  onDouble('math.abs', Math.abs),
  row('math.abs', 'int', '(int) -> int', (value: Int) => {
    const integer = BigInt(value);
    if (integer === -(2n ** 63n)) return new CelError('integer overflow');
    return integer < 0n ? makeInt(-integer) : value;
  }),
  row('math.abs', 'uint', '(uint) -> uint', (value) => value),
  onDouble('math.sign', signOf),
  row('math.sign', 'int', '(int) -> int', (value: Int) => signOf(Number(value))),
  row('math.sign', 'uint', '(uint) -> uint', ({ value }: Uint) => new Uint(value === 0n ? 0n : 1n)),
];

function signed(value: bigint): Value {
  return makeInt(BigInt.asIntN(64, value));
}

function unsigned(value: bigint): Value {
  return new Uint(BigInt.asUintN(64, value));
}

function bitwise(
  name: string,
  compute: (left: bigint, right: bigint) => bigint,
): readonly FunctionRow[] {
  return [
    row(name, 'int_int', '(int, int) -> int', (left: Int, right: Int) =>
      signed(compute(BigInt(left), BigInt(right))),
    ),
    row(name, 'uint_uint', '(uint, uint) -> uint', (left: Uint, right: Uint) =>
      unsigned(compute(left.value, right.value)),
    ),
  ];
}

/** A shift by any number of bits that is not negative; beyond 63 nothing is left. */
function shift(
  name: string,
  compute: (bits: bigint, by: bigint) => bigint,
): readonly FunctionRow[] {
  const checked = (bits: bigint, by: Int, wrap: (value: bigint) => Value): Value => {
    if (by < 0) return new CelError(`${name}() negative offset: ${by}`);
    return wrap(by > 63 ? 0n : compute(BigInt.asUintN(64, bits), BigInt(by)));
  };
  return [
    row(name, 'int_int', '(int, int) -> int', (value: Int, by: Int) =>
      checked(BigInt(value), by, signed),
    ),
    row(name, 'uint_int', '(uint, int) -> uint', ({ value }: Uint, by: Int) =>
      checked(value, by, unsigned),
    ),
  ];
}

const bits: readonly FunctionRow[] = [
  ...bitwise('math.bitAnd', (left, right) => left & right),
  ...bitwise('math.bitOr', (left, right) => left | right),
  ...bitwise('math.bitXor', (left, right) => left ^ right),
  row('math.bitNot', 'int_int', '(int) -> int', (value: Int) => signed(~BigInt(value))),
  row('math.bitNot', 'uint_uint', '(uint) -> uint', ({ value }: Uint) => unsigned(~value)),
  ...shift('math.bitShiftLeft', (value, by) => value << by),
  ...shift('math.bitShiftRight', (value, by) => value >> by),
];

function squareRoot(kind: NumberName, read: (value: Value) => number): FunctionRow {
  return row('math.sqrt', kind, `(${kind}) -> double`, (value) =>
    makeDouble(Math.sqrt(read(value))),
  );
}

/**
 * Functions on numbers (cel-go's `ext.Math`, version 2).
 *
 * - `math.greatest(number…)`, `math.least(number…)`, also of one list: `math.greatest(1, 2u)` is `2u`;
 *   `math.least([-42.0, -21.5])` is `-42.0`; an empty list is an error.
 * - `math.ceil`, `math.floor`, `math.round`, `math.trunc` of a double: `math.round(-1.5)` is `-2.0`.
 * - `math.isInf`, `math.isNaN`, `math.isFinite` of a double: `math.isNaN(0.0 / 0.0)` is `true`.
 * - `math.abs`, `math.sign` of a number, of its type: `math.sign(-42)` is `-1`.
 * - `math.sqrt` of a number: `math.sqrt(81)` is `9.0`, of a negative number NaN.
 * - `math.bitAnd`, `math.bitOr`, `math.bitXor` of two ints or uints, `math.bitNot` of one:
 *   `math.bitAnd(3u, 2u)` is `2u`; `math.bitNot(-1)` is `0`.
 * - `math.bitShiftLeft`, `math.bitShiftRight` by an int that is not negative, without sign extension:
 *   `math.bitShiftRight(1024, 2)` is `256`; `math.bitShiftLeft(1u, 200)` is `0u`.
 */
export const mathLibrary: Library = {
  name: 'math',
  macros: mathMacros,
  functions: functionsOf([
    ...extreme('min', (order) => order > 0),
    ...extreme('max', (order) => order < 0),
    onDouble('math.ceil', Math.ceil),
    onDouble('math.floor', Math.floor),
    onDouble('math.round', roundFloat64),
    onDouble('math.trunc', Math.trunc),
    testDouble('math.isInf', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    testDouble('math.isNaN', Number.isNaN),
    testDouble('math.isFinite', Number.isFinite),
    ...signedness,
    ...bits,
    squareRoot('double', numberOf),
    squareRoot('int', Number),
    squareRoot('uint', (value) => (value instanceof Uint ? Number(value.value) : Number.NaN)),
  ]),
};
