import { describe, expect, test } from 'vitest';
import {
  Duration,
  Environment,
  ExpressionError,
  evaluate,
  formatLiteral,
  Program,
  Timestamp,
  toCel,
  toJs,
  Uint,
} from '../src/index.ts';

// The conversion of JavaScript values, with and without a declared type.

class Point {
  readonly x: number;
  readonly y: number | undefined;
  constructor(x: number, y?: number) {
    this.x = x;
    this.y = y;
  }
  get sum(): number {
    return this.x + (this.y ?? 0);
  }
}
class Closed {
  #secret = 1;
  get secret(): number {
    return this.#secret;
  }
}
class Money {
  readonly amount = 1;
  toJSON(): string {
    return '1 EUR';
  }
}
class Empty {}

const at = new Date('2026-01-02T03:04:05.678Z');
const cyclic: Record<string, unknown> = { name: 'a' };
cyclic['self'] = cyclic;
const cyclicList: unknown[] = [1];
cyclicList.push(cyclicList);
const failing = {
  get name(): string {
    throw new Error('not loaded');
  },
};
const proxy = new Proxy({ a: 1 }, {});
const refusing = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('no keys');
    },
    getOwnPropertyDescriptor: () => {
      throw new Error('no members');
    },
  },
);

function deep(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

function textOf(run: () => unknown): string {
  try {
    return formatLiteral(toCel(run()));
  } catch (failure) {
    if (failure instanceof ExpressionError) return `error: ${failure.issues[0]?.message}`;
    return `thrown: ${(failure as Error).message}`;
  }
}

/** A value bound to `x`, an expression, and its result. */
const dynamic: readonly (readonly [value: unknown, expression: string, result: string])[] = [
  [1, 'x + 1', '2'],
  [1, 'type(x)', '"int"'],
  [-0, 'string(x)', '"0"'],
  [1.5, 'x + 1.0', '2.5'],
  [1.5, 'type(x)', '"double"'],
  [2 ** 53 - 1, 'x', '9007199254740991'],
  [2 ** 53, 'type(x)', '"int"'],
  [2 ** 53, 'x + 1', '9007199254740993'],
  [2 ** 62, 'x == 4611686018427387904', 'true'],
  [2 ** 63, 'type(x)', '"double"'],
  [2 ** 63, 'x == 9223372036854775808.0', 'true'],
  [-(2 ** 63), 'type(x)', '"double"'],
  [-(2n ** 63n), 'type(x)', '"int"'],
  [1e30, 'x + 1.0', '1e+30'],
  [1e30, 'x + 1', 'error: no such overload'],
  [1e30, 'string(x)', '"1e+30"'],
  [Number.NaN, 'x == x', 'false'],
  [Number.NaN, 'type(x)', '"double"'],
  [Number.POSITIVE_INFINITY, 'x > 1.0', 'true'],
  [10n, 'x + 1', '11'],
  [10n, 'x == 10', 'true'],
  [2n ** 62n, 'x + 1', '4611686018427387905'],
  [2n ** 63n - 1n, 'x + 1', 'error: integer overflow'],
  [2n ** 63n, 'x', 'error: `x`: 9223372036854775808 is beyond the 64 bits of an int'],
  [-(2n ** 63n) - 1n, 'x', 'error: `x`: -9223372036854775809 is beyond the 64 bits of an int'],
  ['a', 'x + "b"', '"ab"'],
  ['', 'x == ""', 'true'],
  [true, '!x', 'false'],
  [null, 'x == null', 'true'],
  [undefined, 'x', 'error: no such attribute(s): x'],
  [undefined, 'true || x', 'true'],
  [Object(5), 'x + 1', '6'],
  [Object('a'), 'x + "b"', '"ab"'],
  [Object(true), '!x', 'false'],
  [Object(5n), 'x + 1', '6'],
  [[1, 2], 'x[1]', '2'],
  [[1, 2], 'size(x)', '2'],
  [[1, [2, at]], 'x[1][1].getFullYear()', '2026'],
  [[1, undefined], 'x', 'error: `x[1]`: undefined has no value in CEL'],
  [[1, undefined], 'x[0]', '1'],
  [[1, undefined], 'x[1]', 'error: `x[1]`: undefined has no value in CEL'],
  [[at, at], 'x.all(t, t.getFullYear() == 2026)', 'true'],
  [
    [1, () => 1],
    'x.map(y, y)',
    'error: `x[1]`: a function has no value in CEL: call it, or register it as a function',
  ],
  [new Set([1, 2, 2]), 'size(x)', '2'],
  [new Set(['a']), '"a" in x', 'true'],
  [new Set([at]), 'x[0] == x[0]', 'true'],
  [{ a: 1 }, 'x.a', '1'],
  [{ a: undefined }, 'has(x.a)', 'false'],
  [{ a: undefined }, 'x.a', 'error: no such key: a'],
  [{ a: undefined }, '"a" in x', 'false'],
  [{ a: undefined, b: 1 }, 'size(x)', '1'],
  [{ a: undefined, b: 1 }, 'x.all(k, k == "b")', 'true'],
  [{ a: undefined, b: 1 }, 'x == {"b": 1}', 'true'],
  [{ a: undefined }, 'x.?a.orValue(7)', '7'],
  [{ a: { b: undefined } }, 'has(x.a.b)', 'false'],
  [{ a: null }, 'has(x.a)', 'true'],
  [{ constructor: 1 }, 'x.constructor', '1'],
  [{}, 'has(x.constructor)', 'false'],
  [{}, 'x.toString', 'error: no such key: toString'],
  [JSON.parse('{"__proto__": 5}'), 'x.__proto__', '5'],
  [Object.assign(Object.create(null), { a: 1 }), 'x.a', '1'],
  [Object.assign(Object.create(null), { a: 1 }), 'size(x)', '1'],
  [new Map([['a', 1]]), 'x.a', '1'],
  [new Map([['a', 1]]), 'x["a"] + size(x)', '2'],
  [new Map([[1, 'a']]), 'x[1]', '"a"'],
  [new Map([[1n, 'a']]), 'x[1]', '"a"'],
  [new Map([[true, 'a']]), 'x[true]', '"a"'],
  [
    new Map([[{}, 'a']]),
    'x',
    'error: `x`: an object cannot be a map key: keys are strings, integers or booleans',
  ],
  [new Map([['a', undefined]]), 'size(x)', '0'],
  [new Map([['a', at]]), 'x.a.getFullYear()', '2026'],
  [new Map(), 'x == {}', 'true'],
  [at, 'x.getFullYear()', '2026'],
  [at, 'x.getMilliseconds()', '678'],
  [at, 'string(x)', '"2026-01-02T03:04:05.678Z"'],
  [at, 'x == timestamp("2026-01-02T03:04:05.678Z")', 'true'],
  [at, 'type(x)', '"google.protobuf.Timestamp"'],
  [new Date(-1), 'string(x)', '"1969-12-31T23:59:59.999Z"'],
  [new Date(Number.NaN), 'x', 'error: `x`: an invalid Date cannot be a timestamp'],
  [
    new Date(8.64e15),
    'x',
    'error: `x`: a Date before year 1 or after year 9999 cannot be a timestamp',
  ],
  [{ created: at }, 'x.created < timestamp("2027-01-01T00:00:00Z")', 'true'],
  [{ created: at }, 'x == {"created": x.created}', 'true'],
  [new Uint8Array([97]), 'x == b"a"', 'true'],
  [Buffer.from('a'), 'string(x)', '"a"'],
  [new Uint8Array([97]).buffer, 'size(x)', '1'],
  [new Float32Array(1), 'x', 'error: `x`: an instance of Float32Array has no value in CEL'],
  [
    new DataView(new ArrayBuffer(1)),
    'x',
    'error: `x`: an instance of DataView has no value in CEL',
  ],
  [new Point(1, 2), 'x.x + x.y', '3'],
  [new Point(1), 'has(x.y)', 'false'],
  [new Point(1, 2), 'size(x)', '2'],
  [new Point(1, 2), 'x.sum', 'error: no such key: sum'],
  [{ p: new Point(1, 2) }, 'x.p == {"x": 1, "y": 2}', 'true'],
  [new Closed(), 'x', 'error: `x`: an instance of Closed has no value in CEL'],
  [{ c: new Closed() }, 'x.c == {}', 'error: `x.c`: an instance of Closed has no value in CEL'],
  [new Money(), 'x', 'error: `x`: an instance of Money has no value in CEL'],
  [new Empty(), 'x == {}', 'true'],
  [new URL('http://a.example'), 'x', 'error: `x`: an instance of URL has no value in CEL'],
  [/a/, 'x', 'error: `x`: an instance of RegExp has no value in CEL'],
  [new Error('a'), 'x', 'error: `x`: an instance of Error has no value in CEL'],
  [new WeakMap(), 'x', 'error: `x`: an instance of WeakMap has no value in CEL'],
  [
    Promise.resolve(1),
    'x',
    'error: `x`: a Promise has no value in CEL: wait for it (`await`) before evaluating',
  ],
  [
    () => 1,
    'x',
    'error: `x`: a function has no value in CEL: call it, or register it as a function',
  ],
  [Symbol('a'), 'x', 'error: `x`: a symbol has no value in CEL'],
  [cyclic, 'x.self.self.name', '"a"'],
  [cyclic, 'x == x', 'error: `x.self.self.self`: the value contains itself'],
  [cyclicList, 'x == x', 'error: `x[1][1][1]`: the value contains itself'],
  [deep(100), 'x == x', 'true'],
  [deep(20_000), 'x == x', 'error: `x[0][0][0]`: the value is nested too deeply'],
  [failing, 'x.name', 'error: reading `x` failed: not loaded'],
  [failing, 'has(x.name)', 'error: reading `x` failed: not loaded'],
  [failing, 'x == {}', 'error: `x.name`: reading the value failed: not loaded'],
  [failing, 'x.name == "a" || true', 'true'],
  [proxy, 'x.a', '1'],
  [proxy, 'x == {"a": 1}', 'true'],
  [refusing, 'x.a', 'error: reading `x` failed: no members'],
  [refusing, 'x == {}', 'error: `x`: reading the value failed: no keys'],
  [new Uint(5n), 'x + 1u', '6'],
  [new Duration(3_600_000_000_000n), 'x == duration("1h")', 'true'],
  [new Timestamp(0, 1), 'string(x)', '"1970-01-01T00:00:00.000000001Z"'],
  [{ items: [{ at }, { at }] }, 'x.items.map(i, i.at.getFullYear())', '[2026, 2026]'],
  [{ items: new Set([1]) }, 'x.items.all(i, i == 1)', 'true'],
  [{ items: new Map([['a', 1]]) }, 'x.items.exists(k, k == "a")', 'true'],
  [{ items: { a: undefined, b: 1 } }, 'x.items.map(k, k)', '["b"]'],
  [{ a: [{ b: undefined }] }, 'x.a.exists(y, has(y.b))', 'false'],
  [{ a: at, b: () => 1 }, 'x.a.getFullYear()', '2026'],
  [{ a: () => 1, b: true }, 'x.a == 1 || x.b', 'true'],
  [{ a: () => 1, b: true }, 'x.b || x.a == 1', 'true'],
  [
    { a: Promise.resolve(1) },
    '!has(x.a)',
    'error: `x.a`: a Promise has no value in CEL: wait for it (`await`) before evaluating',
  ],
  [{ a: null, b: () => 1 }, 'x.a == null', 'true'],
  [
    { a: () => 1 },
    'x.a == null',
    'error: `x.a`: a function has no value in CEL: call it, or register it as a function',
  ],
  [['a', 'b'], '"b" in x', 'true'],
  [['a', 1n], '1 in x', 'true'],
  [
    ['a', () => 1],
    '"a" in x',
    'error: `x[1]`: a function has no value in CEL: call it, or register it as a function',
  ],
  [{ a: undefined, constructor: 1 }, '"a" in x', 'false'],
  [{ p: new Point(1, 2) }, 'has(x.p.sum)', 'false'],
  [
    { a: at, b: new Set(), c: new Map(), d: new Point(1) },
    'has(x.a) && has(x.b) && has(x.c) && has(x.d)',
    'true',
  ],
  [{ a: [{ at, l: [at] }] }, 'x.a.all(y, x.a.exists(z, z.at == y.at && z.l == y.l))', 'true'],
  [{ a: [{ at, l: [at] }] }, 'x.a.map(y, y.l).map(y, y[0].getFullYear())', '[2026]'],
  [{ a: [at, 1] }, 'x.a.filter(y, y != 1)[0].getFullYear()', '2026'],
  [{ a: [at, 1] }, 'x.a.filter(y, y != 1).map(z, z.getFullYear())', '[2026]'],
  [
    { a: [{ at }] },
    'x.a.filter(y, true).filter(z, has(z.at)).map(v, v.at.getFullYear())',
    '[2026]',
  ],
  [{ a: [1, { b: undefined }] }, 'size(x.a.filter(y, y != 1)[0])', '0'],
  [
    { a: [1, () => 1] },
    'x.a.filter(y, true)',
    'error: `x.a[1]`: a function has no value in CEL: call it, or register it as a function',
  ],
  [
    { a: [1, { b: () => 1 }] },
    'x.a.filter(y, y != 1)',
    'error: `x.a[1].b`: a function has no value in CEL: call it, or register it as a function',
  ],
  [
    { a: [1, { b: () => 1 }] },
    'x.a.filter(y, y == 1).map(z, z + 1)',
    'error: `x.a[1].b`: a function has no value in CEL: call it, or register it as a function',
  ],
  [[1, undefined], 'x.filter(y, true)', 'error: `x[1]`: undefined has no value in CEL'],
  [[1, 'a'], 'x.filter(y, y)', 'error: no such overload'],
  [[{ a: 1 }, { a: 2 }], 'x.filter(y, y.a > 1)', '[{"a": 2}]'],
  [{ a: 1 }, 'x == {"a": 1} && {"a": 1} == x', 'true'],
  [{ a: 1 }, 'x == {"a": 1, 1: 2} || {"a": 1, 1: 2} == x || x == {1: 1}', 'false'],
  [{ a: { b: [1, 2.5] } }, 'x == {"a": {"b": [1, 2.5]}} && x != {"a": {"b": [1, 2]}}', 'true'],
  [[new Point(1, 2)], 'x.filter(y, y.x == 1)', '[{"x": 1, "y": 2}]'],
  [[new Map([['a', 1]])], 'x.filter(y, y.a == 1)', '[{"a": 1}]'],
  [{ a: { b: { c: { d: { e: 1 } } } } }, 'x.a.b.c.d.e', '1'],
  [{ a: { b: new Point(1, 2) } }, 'x.a.b.sum', 'error: no such key: sum'],
  [{ a: new Map([['size', 7]]) }, 'x.a.size', '7'],
  [Object.create({ a: 1 }), 'has(x.a)', 'false'],
  [{ a: Object.create({ b: 1 }) }, 'x.a.b', 'error: `x.a`: an object has no value in CEL'],
  [{ a: Object.assign(Object.create({ b: 1 }), { c: 1 }) }, 'x.a.b', 'error: no such key: b'],
  [{ a: 'abc' }, 'x.a.b', 'error: no such key: b'],
  [{ a: null }, 'x.a.b', 'error: no such key: b'],
  [{ a: 5 }, '[1, 2].map(y, x.a + y)', '[6, 7]'],
  [{ a: at }, '[1, 2].map(y, x.a.getFullYear() + y)', '[2027, 2028]'],
  [{ a: undefined }, '[1, 2].map(y, has(x.a))', '[false, false]'],
  [{ a: [{ b: 1 }, { b: 2 }] }, 'x.a.map(y, x.a.filter(z, z.b > y.b))', '[[{"b": 2}], []]'],
  [1.5, 'x * 2.0', '3'],
  [1.5, 'x > 1.0 && x < 2.0', 'true'],
  [2, 'x > 1.0 && x <= 2.0', 'true'],
  [Number.NaN, 'x > 1.0', 'error: NaN values cannot be ordered'],
  [3, 'x / 0', 'error: division by zero'],
  [3, 'x % 0', 'error: modulus by zero'],
  [-3, 'x / 2', '-1'],
  [-4, 'string(x % 2)', '"0"'],
  [1.5, 'x % dyn(1.0)', 'error: no such overload: _%_'],
  [9007199254740991, 'x + 1', '9007199254740992'],
  [9007199254740991, 'x * x', 'error: integer overflow'],
];

describe('without a declared type', () => {
  // Not `test.each`, which would write values that cannot be written.
  for (const [index, [value, expression, result]] of dynamic.entries()) {
    test(`${index}: \`${expression}\` gives ${result}`, () => {
      expect(textOf(() => evaluate(expression, { x: value }))).toBe(result);
    });
  }
});

/** A type, a value of it, an expression, and its result. */
const declared: readonly (readonly [
  type: string,
  value: unknown,
  expression: string,
  result: string,
])[] = [
  ['double', 10, 'x + 1.5', '11.5'],
  ['double', 10, 'type(x)', '"double"'],
  ['double', 10n, 'x + 1.0 == 11.0', 'true'],
  ['double', '10', 'x', 'error: `x`: expected double, got a string'],
  ['double', null, 'x', 'error: `x`: expected double, got null'],
  ['double', true, 'x', 'error: `x`: expected double, got true'],
  ['double', Object(2), 'x / 4.0', '0.5'],
  ['int', 10, 'x + 1', '11'],
  ['int', 10n, 'x + 1', '11'],
  ['int', 1.5, 'x', 'error: `x`: expected int, got 1.5'],
  ['int', 1e30, 'x', 'error: `x`: expected int, got 1e+30'],
  ['int', '1', 'x', 'error: `x`: expected int, got a string'],
  ['int', 2 ** 53, 'x + 1', '9007199254740993'],
  ['int', new Uint(1n), 'x', 'error: `x`: expected int, got an instance of Uint'],
  ['uint', 10n, 'x + 1u', '11'],
  ['uint', 10, 'x + 1u', '11'],
  ['uint', 2n ** 64n - 1n, 'x == 18446744073709551615u', 'true'],
  ['uint', 2n ** 64n, 'x', 'error: `x`: expected uint, got 18446744073709551616'],
  ['uint', -1, 'x', 'error: `x`: expected uint, got -1'],
  ['uint', 1.5, 'x', 'error: `x`: expected uint, got 1.5'],
  ['uint', new Uint(1n), 'x + 1u', '2'],
  ['string', 'a', 'x + "b"', '"ab"'],
  ['string', 1, 'x', 'error: `x`: expected string, got 1'],
  ['string', Object('a'), 'x', '"a"'],
  ['string', at, 'x', 'error: `x`: expected string, got an instance of Date'],
  ['bool', true, '!x', 'false'],
  ['bool', 'true', 'x', 'error: `x`: expected bool, got a string'],
  ['bool', 0, 'x', 'error: `x`: expected bool, got 0'],
  ['null', null, 'x == null', 'true'],
  ['null', 0, 'x', 'error: `x`: expected null, got 0'],
  ['timestamp', at, 'x.getFullYear()', '2026'],
  ['timestamp', new Timestamp(0, 0), 'x.getFullYear()', '1970'],
  [
    'timestamp',
    '2026-01-01T00:00:00Z',
    'x',
    'error: `x`: expected timestamp, got a string: pass a `Date`, or declare a string and write `timestamp(…)`',
  ],
  ['timestamp', 0, 'x', 'error: `x`: expected timestamp, got 0'],
  ['timestamp', new Date(Number.NaN), 'x', 'error: `x`: an invalid Date cannot be a timestamp'],
  ['duration', new Duration(1_000_000_000n), 'x.getSeconds()', '1'],
  [
    'duration',
    '1h',
    'x',
    'error: `x`: expected duration, got a string: pass a `Duration`, or declare a string and write `duration(…)`',
  ],
  ['duration', 5, 'x', 'error: `x`: expected duration, got 5'],
  ['bytes', new Uint8Array([97]), 'x == b"a"', 'true'],
  ['bytes', Buffer.from('a'), 'x == b"a"', 'true'],
  ['bytes', new ArrayBuffer(2), 'size(x)', '2'],
  [
    'bytes',
    'a',
    'x',
    'error: `x`: expected bytes, got a string: pass a `Uint8Array`, or declare a string and write `bytes(…)`',
  ],
  ['bytes', [97], 'x', 'error: `x`: expected bytes, got a list'],
  ['list<double>', [1, 2.5], 'x[0] + x[1]', '3.5'],
  ['list<double>', [1, 2], 'x.map(y, y * 0.5)', '[0.5, 1]'],
  ['list<double>', [1, 'a'], 'x[0] + 0.5', '1.5'],
  ['list<double>', [1, 'a'], 'x.map(y, y)', 'error: `x[1]`: expected double, got a string'],
  ['list<uint>', [1, 2n], 'x[0] + x[1]', '3'],
  ['list<timestamp>', [at], 'x.all(t, t.getFullYear() == 2026)', 'true'],
  ['list<bytes>', [new Uint8Array(1)], 'x.map(b, size(b))', '[1]'],
  ['list<int>', { 0: 1 }, 'x', 'error: `x`: expected list(int), got an object'],
  ['list<int>', 'abc', 'x', 'error: `x`: expected list(int), got a string'],
  ['list<int>', new Set([1, 2]), 'x[1]', '2'],
  ['list<int>', null, 'x', 'error: `x`: expected list(int), got null'],
  ['list<list<double>>', [[1]], 'x[0][0] + 0.5', '1.5'],
  ['map<string, double>', { a: 1 }, 'x.a + 0.5', '1.5'],
  ['map<string, double>', { a: 'b' }, 'x.a', 'error: `x.a`: expected double, got a string'],
  ['map<string, double>', { a: 'b', c: 1 }, 'x.c', '1'],
  ['map<string, double>', { a: undefined, c: 1 }, 'size(x)', '1'],
  ['map<string, double>', new Map([['a', 1]]), 'x.a + 0.5', '1.5'],
  ['map<string, timestamp>', { a: at }, 'x["a"].getFullYear()', '2026'],
  ['map<string, list<uint>>', { a: [1] }, 'x.a[0] + 1u', '2'],
  ['map<string, int>', [1], 'x', 'error: `x`: expected map(string, int), got a list'],
  ['map<int, string>', new Map([[1, 'a']]), 'x[1]', '"a"'],
  ['map<int, string>', { 1: 'a' }, 'x', 'error: `x`: expected map(int, string), got an object'],
  ['map<int, string>', new Map([['1', 'a']]), 'x', 'error: `x`: expected int, got a string'],
  ['map<uint, string>', new Map([[1n, 'a']]), 'x[1u]', '"a"'],
  ['map<bool, int>', new Map([[true, 1]]), 'x[true]', '1'],
  ['map<string, dyn>', { a: at }, 'x.a.getFullYear()', '2026'],
  ['optional<int>', undefined, 'true', 'true'],
  ['dyn', { a: [at] }, 'x.a[0].getFullYear()', '2026'],
];

describe('with a declared type', () => {
  for (const [index, [type, value, expression, result]] of declared.entries()) {
    test(`${index}: \`${expression}\` on a ${type} gives ${result}`, () => {
      const environment = new Environment({ variables: { x: type } });
      expect(textOf(() => environment.evaluate(expression, { x: value }))).toBe(result);
    });
  }
});

test('never modifies bound values', () => {
  const value = Object.freeze({ a: Object.freeze([1, undefined]), at, b: undefined });
  evaluate('x.at == x.at && size(x.a[0] == 1 ? [1] : []) == 1', { x: value });
  expect(value).toEqual({ a: [1, undefined], at, b: undefined });
});

test('converts only the values that are read', () => {
  const value = {
    name: 'a',
    get rest(): never {
      throw new Error('read');
    },
  };
  expect(evaluate('x.name', { x: value })).toBe('a');
});

describe('variables that are bound by', () => {
  class Computed {
    asked = 0;
    own = { a: 1 };
    get user(): { name: string } {
      this.asked++;
      return { name: 'ada' };
    }
    get broken(): never {
      throw new Error('not loaded');
    }
  }
  const computed = new Computed();

  test.each([
    ['user.name + user.name', 'adaada'],
    ['own.a', 1],
    ['constructor == 1 || user.name == "ada"', true],
    ['broken == 1 || user.name == "ada"', true],
  ])('an instance of a class: %s', (expression, result) => {
    expect(evaluate(expression, computed)).toBe(result);
  });

  test('an instance of a class are computed once for each evaluation', () => {
    const { asked } = computed;
    evaluate('user.name == "ada" && user.name != "b"', computed);
    expect(computed.asked).toBe(asked + 1);
  });

  test('calls a function once, also for inherited names', () => {
    const names: string[] = [];
    const { checked } = new Environment({ unlistedVariablesAreDyn: true }).compile(
      'a.b + a.b + toString.b',
    );
    const program = checked && new Environment({ unlistedVariablesAreDyn: true }).plan(checked);
    const ask = (name: string): { b: number } => {
      names.push(name);
      return { b: 1 };
    };
    expect(program instanceof Program && program.evaluate(ask).value).toBe(3);
    expect(names).toEqual(['a', 'toString']);
  });
});

describe('results', () => {
  test.each([
    ['1', {}, 1],
    ['1', { ints: 'bigint' }, 1n],
    ['9007199254740993', {}, 9007199254740993n],
    ['1u', {}, 1],
    ['1u', { ints: 'bigint' }, 1n],
    ['18446744073709551615u', {}, 18446744073709551615n],
    ['1.0', {}, 1],
    ['1.0', { ints: 'bigint' }, 1],
    ['[1, 1.0, 1u]', { ints: 'bigint' }, [1n, 1, 1n]],
    ['"a"', {}, 'a'],
    ['b"a"', {}, new Uint8Array([97])],
    ['null', {}, null],
    ['timestamp("2026-01-02T03:04:05.678Z")', {}, at],
    [
      'timestamp("2026-01-02T03:04:05.678901Z")',
      { timestamps: 'text' },
      '2026-01-02T03:04:05.678901Z',
    ],
    ['duration("90s")', {}, new Duration(90_000_000_000n)],
    ['duration("90s")', { durations: 'text' }, '90s'],
    ['{"a": [1]}', {}, { a: [1] }],
    ['{"a": 1}', { maps: 'map' }, new Map([['a', 1]])],
    ['{1: "a"}', {}, new Map([[1, 'a']])],
    [
      '{1: "a", "1": "b"}',
      {},
      new Map<unknown, unknown>([
        [1, 'a'],
        ['1', 'b'],
      ]),
    ],
    ['{"__proto__": 1}', {}, JSON.parse('{"__proto__": 1}')],
    ['optional.of(1)', {}, 1],
    ['optional.none()', {}, undefined],
    ['type(1)', {}, 'int'],
  ] as const)('%s with %o is %o', (expression, options, result) => {
    expect(evaluate(expression, {}, options)).toEqual(result);
  });

  test('data comes back as the same object', () => {
    const list = [{ a: 1 }];
    expect(evaluate('x[0]', { x: list })).toBe(list[0]);
    expect(toJs(toCel(list))).toBe(list);
  });
});
