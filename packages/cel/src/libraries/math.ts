import type { FunctionDeclaration, Overload } from '../function-declaration.ts';
import type { Library } from '../library.ts';
import { overload } from '../standard/signature.ts';
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
): FunctionDeclaration {
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
  return {
    name: full,
    overloads: [
      ...kinds.map((kind) =>
        overload(`math_@${name}_${kind}`, `(${kind}) -> ${kind}`, {
          evaluate: (value: Value) => value,
        }),
      ),
      ...pairs.map(([left, right]) =>
        overload(
          `math_@${name}_${left}_${right}`,
          `(${left}, ${right}) -> ${left === right ? left : 'dyn'}`,
          { evaluate: choose },
        ),
      ),
      ...kinds.map((kind) =>
        overload(`math_@${name}_list_${kind}`, `(list<${kind}>) -> ${kind}`, {
          evaluate: chooseFromList,
        }),
      ),
    ],
  };
}

function onDouble(name: string, compute: (value: number) => number): FunctionDeclaration {
  return {
    name: `math.${name}`,
    overloads: [
      overload(`math_${name}_double`, '(double) -> double', {
        evaluate: (value: Value) => makeDouble(compute(doubleValue(value) ?? Number.NaN)),
      }),
    ],
  };
}

function testDouble(name: string, test: (value: number) => boolean): FunctionDeclaration {
  return {
    name: `math.${name}`,
    overloads: [
      overload(`math_${name}_double`, '(double) -> bool', {
        evaluate: (value: Value) => test(doubleValue(value) ?? Number.NaN),
      }),
    ],
  };
}

/** To the nearest whole number, ties away from zero. */
function round(value: number): number {
  const whole = Math.trunc(value);
  return Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
}

/** 0 for both zeros, unlike `Math.sign`. */
function signOf(value: number): number {
  return value === 0 ? 0 : Math.sign(value);
}

const signedness: readonly FunctionDeclaration[] = [
  {
    name: 'math.abs',
    overloads: [
      overload('math_abs_double', '(double) -> double', {
        evaluate: (value: Value) => makeDouble(Math.abs(doubleValue(value) ?? Number.NaN)),
      }),
      overload('math_abs_int', '(int) -> int', {
        evaluate: (value: Int) => {
          const integer = BigInt(value);
          if (integer === -(2n ** 63n)) return new CelError('integer overflow');
          return integer < 0n ? makeInt(-integer) : value;
        },
      }),
      overload('math_abs_uint', '(uint) -> uint', { evaluate: (value: Value) => value }),
    ],
  },
  {
    name: 'math.sign',
    overloads: [
      overload('math_sign_double', '(double) -> double', {
        evaluate: (value: Value) => makeDouble(signOf(doubleValue(value) ?? Number.NaN)),
      }),
      overload('math_sign_int', '(int) -> int', {
        evaluate: (value: Int) => signOf(Number(value)),
      }),
      overload('math_sign_uint', '(uint) -> uint', {
        evaluate: (value: Uint) => new Uint(value.value === 0n ? 0n : 1n),
      }),
    ],
  },
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
): FunctionDeclaration {
  return {
    name: `math.${name}`,
    overloads: [
      overload(`math_${name}_int_int`, '(int, int) -> int', {
        evaluate: (left: Int, right: Int) => signed(compute(BigInt(left), BigInt(right))),
      }),
      overload(`math_${name}_uint_uint`, '(uint, uint) -> uint', {
        evaluate: (left: Uint, right: Uint) => unsigned(compute(left.value, right.value)),
      }),
    ],
  };
}

/** A shift by any number of bits that is not negative; beyond 63 nothing is left. */
function shift(
  name: 'bitShiftLeft' | 'bitShiftRight',
  compute: (bits: bigint, by: bigint) => bigint,
): FunctionDeclaration {
  const checked = (bits: bigint, by: Int, wrap: (value: bigint) => Value): Value => {
    if (by < 0) return new CelError(`math.${name}() negative offset: ${by}`);
    return wrap(by > 63 ? 0n : compute(BigInt.asUintN(64, bits), BigInt(by)));
  };
  return {
    name: `math.${name}`,
    overloads: [
      overload(`math_${name}_int_int`, '(int, int) -> int', {
        evaluate: (value: Int, by: Int) => checked(BigInt(value), by, signed),
      }),
      overload(`math_${name}_uint_int`, '(uint, int) -> uint', {
        evaluate: (value: Uint, by: Int) => checked(value.value, by, unsigned),
      }),
    ],
  };
}

const bits: readonly FunctionDeclaration[] = [
  bitwise('bitAnd', (left, right) => left & right),
  bitwise('bitOr', (left, right) => left | right),
  bitwise('bitXor', (left, right) => left ^ right),
  {
    name: 'math.bitNot',
    overloads: [
      overload('math_bitNot_int_int', '(int) -> int', {
        evaluate: (value: Int) => signed(~BigInt(value)),
      }),
      overload('math_bitNot_uint_uint', '(uint) -> uint', {
        evaluate: (value: Uint) => unsigned(~value.value),
      }),
    ],
  },
  shift('bitShiftLeft', (value, by) => value << by),
  shift('bitShiftRight', (value, by) => value >> by),
];

function squareRoot(kind: NumberName, read: (value: Value) => number): Overload {
  return overload(`math_sqrt_${kind}`, `(${kind}) -> double`, {
    evaluate: (value: Value) => makeDouble(Math.sqrt(read(value))),
  });
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
  functions: [
    extreme('min', (order) => order > 0),
    extreme('max', (order) => order < 0),
    onDouble('ceil', Math.ceil),
    onDouble('floor', Math.floor),
    onDouble('round', round),
    onDouble('trunc', Math.trunc),
    testDouble('isInf', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    testDouble('isNaN', Number.isNaN),
    testDouble('isFinite', Number.isFinite),
    ...signedness,
    ...bits,
    {
      name: 'math.sqrt',
      overloads: [
        squareRoot('double', (value) => doubleValue(value) ?? Number.NaN),
        squareRoot('int', Number),
        squareRoot('uint', (value) => (value instanceof Uint ? Number(value.value) : Number.NaN)),
      ],
    },
  ],
};
