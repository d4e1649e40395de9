import { describe, expect, test } from 'vitest';
import { overload } from '../src/declarations/signature.ts';
import {
  CelError,
  check,
  Environment,
  ExpressionError,
  evaluate,
  formatLiteral,
  libraryFrom,
  Program,
  parse,
  toCel,
  toJs,
  typeFrom,
} from '../src/index.ts';
import { parseExpression, printExpression } from '../src/syntax.ts';

// Wrong calls: a `TypeError` for wrong arguments, an
// `ExpressionError` for wrong expressions and values, and never a result.

/** Calls with arguments that their types forbid. */
// biome-ignore lint/suspicious/noExplicitAny: the tests pass wrong types
const wrong = (value: unknown): any => value;

const environment = (): Environment => new Environment({ variables: { x: 'int' } });

function planned(text: string): Program {
  const { checked } = environment().compile(text);
  const program = checked && environment().plan(checked);
  if (!(program instanceof Program)) throw new Error('not planned');
  return program;
}

const library = { name: 'a', functions: [] };
const refusing = new Proxy(
  {},
  {
    get: (): never => {
      throw new Error('closed');
    },
  },
);

const calls: Readonly<Record<string, readonly (() => unknown)[]>> = {
  'TypeError: unknown option `costlimit`; expected one of environment, variables, costLimit, isCancelled, ints, timestamps, durations, maps':
    [
      () => evaluate('1', {}, wrong({ costlimit: 5 })),
      () => parse('1')({}, wrong({ costlimit: 5 })),
    ],
  'TypeError: unknown option `env`; expected one of environment, variables, costLimit, isCancelled, ints, timestamps, durations, maps':
    [() => parse('1', wrong({ env: environment() }))],
  'TypeError: unknown option `variable`; expected one of environment, variables, costLimit, isCancelled, ints, timestamps, durations, maps':
    [() => check('a', wrong({ variable: { a: 'int' } }))],
  'TypeError: new Environment: unknown option `variable` (did you mean `variables`?)': [
    () => new Environment(wrong({ variable: { a: 'int' } })),
  ],
  "TypeError: `variables` must contain types by name, such as `{ user: 'map<string, dyn>' }`": [
    () => new Environment(wrong({ variables: new Map([['a', 'int']]) })),
    () => check('x', { variables: wrong(['x']) }),
  ],
  'TypeError: `libraries` must be a list of libraries, such as `[optionalLibrary]`': [
    () => new Environment(wrong({ libraries: library })),
    () => new Environment(wrong({ libraries: ['strings'] })),
  ],
  'TypeError: a variable needs a name such as `user`, not the string "a-b"': [
    () => new Environment({ variables: { 'a-b': 'int' } }),
  ],
  'TypeError: a constant needs a name such as `user`, not the string "a b"': [
    () => environment().extend({ constants: { 'a b': 1 } }),
  ],
  'TypeError: a type needs a name such as `user`, not the string "My Type"': [
    () => new Environment({ types: { 'My Type': { a: 'int' } } }),
  ],
  'TypeError: new Environment: `mixedComparisons` must be a boolean, got the string "no"': [
    () => new Environment(wrong({ mixedComparisons: 'no' })),
  ],
  'TypeError: new Environment: `rules` must be a list, got a function': [
    () => new Environment(wrong({ rules: () => undefined })),
  ],
  'TypeError: an expression is a string': [
    () => parseExpression(wrong(undefined)),
    () => parseExpression(wrong(['x'])),
    () => evaluate(wrong(undefined)),
    () => evaluate(wrong(null)),
    () => evaluate(wrong(1)),
    () => evaluate(wrong({})),
    () => evaluate(wrong(['x'])),
    () => evaluate(wrong(Promise.resolve('1'))),
    () => parse(wrong(undefined)),
    () => check(wrong(undefined)),
    () => environment().compile(wrong(undefined)),
    () => environment().parse(wrong(1)),
  ],
  'TypeError: printExpression: expected the `expression` of a result of `parseExpression`, got the string "a + b"':
    [() => printExpression(wrong('a + b'))],
  'TypeError: printExpression: expected the `expression` of a result of `parseExpression`, got an object':
    [() => printExpression(wrong(parseExpression('a + b')))],
  'TypeError: libraryFrom: expected the name of the library first, got an object': [
    () => libraryFrom(wrong({ 'f() -> int': () => 1 }), wrong(undefined)),
  ],
  'TypeError: libraryFrom: expected functions by their signatures, got undefined': [
    () => libraryFrom('a', wrong(undefined)),
  ],
  'TypeError: libraryFrom: expected functions by their signatures, got a list': [
    () => libraryFrom('a', wrong([() => 1])),
  ],
  ExpressionError: [
    () => evaluate(''),
    () => evaluate(' '),
    () => evaluate('1 +'),
    () => evaluate('1 1'),
    () => parse('1 +'),
    () => parse('timestamp("a")')(),
  ],
  'TypeError: the variables must be an object: the values by the names of the variables': [
    () => evaluate('x', wrong(null)),
    () => evaluate('x', wrong(1)),
    () => evaluate('x', wrong('a')),
    () => evaluate('x', [1]),
    () => evaluate('x', new Map([['x', 1]])),
    () => evaluate('x', new Date()),
    () => parse('x')(wrong(null)),
  ],
  'TypeError: the variables are a Promise: wait for them (`await`) before': [
    () => evaluate('x', Promise.resolve({ x: 1 })),
  ],
  'ExpressionError: reading `x` failed: closed': [() => evaluate('x', refusing)],
  'ExpressionError: no such attribute(s): x': [
    () => evaluate('x', {}),
    () => evaluate('x', { X: 1 }),
  ],
  'ExpressionError: no such attribute(s): toString': [() => evaluate('toString', {})],
  'ExpressionError: no such attribute(s): constructor': [() => evaluate('constructor', {})],
  'ExpressionError: no such attribute(s): __proto__': [() => evaluate('__proto__', {})],
  'TypeError: the options must be an object: such as `{ environment }`': [
    () => evaluate('1', {}, wrong(null)),
    () => evaluate('1', {}, wrong(5)),
    () => parse('1')({}, wrong(null)),
  ],
  'TypeError: `environment` must be an `Environment`': [
    () => evaluate('1', {}, { environment: wrong({ variables: {} }) }),
  ],
  'TypeError: `costLimit` must be a number': [
    () => evaluate('1', {}, { costLimit: Number.NaN }),
    () => evaluate('1', {}, { costLimit: wrong('10') }),
    () => evaluate('1', {}, { costLimit: wrong(10n) }),
    () => evaluate('[1].all(x, x > 0)', {}, { costLimit: wrong(null) }),
    () => planned('x').evaluate({ x: 1 }, { costLimit: Number.NaN }),
  ],
  'ExpressionError: operation cancelled: actual cost limit exceeded': [
    () => evaluate('x', { x: 1 }, { costLimit: 0 }),
    () => evaluate('x', { x: 1 }, { costLimit: -1 }),
  ],
  'ExpressionError: internal error: gone': [
    () =>
      evaluate(
        'x.all(y, y > 0)',
        { x: new Array(1000).fill(1) },
        {
          isCancelled: () => {
            throw new Error('gone');
          },
        },
      ),
  ],
  "ExpressionError: found no matching overload for '_+_' applied to '(int, string)'": [
    () => parse('1 + "a"')(),
  ],
  "ExpressionError: undeclared reference to 'nope' (in container '')": [() => parse('nope(1)')()],
  'TypeError: invalid type `integer`': [() => check('x', { variables: { x: 'integer' } })],
  'TypeError: a type must be a string such as `list<string>`': [
    () => check('x', { variables: { x: wrong(5) } }),
    () => environment().registerVariable('y', wrong(undefined)),
    () => typeFrom(wrong(undefined)),
  ],
  'TypeError: new Environment: expected options as an object, got null': [
    () => new Environment(wrong(null)),
  ],
  'TypeError: new Environment: expected options as an object, got a list': [
    () => new Environment(wrong([])),
  ],
  'TypeError: new Environment: expected options as an object, got the string "x"': [
    () => new Environment(wrong('x')),
  ],
  'TypeError: extend: expected options as an object, got null': [
    () => environment().extend(wrong(null)),
  ],
  'TypeError: variables are bound by an object of values by name, or a function': [
    () => planned('x').evaluate(wrong(null)),
    () => planned('x').evaluate(wrong('x')),
    () => planned('x').evaluate(wrong(1)),
  ],
  'TypeError: a variable needs a name such as `user`, not the string ""': [
    () => environment().registerVariable('', 'int'),
  ],
  'TypeError: a variable needs a name such as `user`, not the string "a b"': [
    () => environment().registerVariable('a b', 'int'),
  ],
  'TypeError: a variable needs a name such as `user`, not undefined': [
    () => environment().registerVariable(wrong(undefined), 'int'),
  ],
  'TypeError: invalid type `User`': [() => environment().registerVariable('y', 'User')],
  'TypeError: invalid type `list<int`': [() => environment().registerVariable('y', 'list<int')],
  'TypeError: invalid type `list<>`': [() => environment().registerVariable('y', 'list<>')],
  'TypeError: invalid type `map<string>`': [
    () => environment().registerVariable('y', 'map<string>'),
  ],
  'TypeError: invalid type `set<int>`': [() => environment().registerVariable('y', 'set<int>')],
  'TypeError: `C`: a function has no value in CEL: call it, or register it as a function': [
    () => environment().registerConstant('C', () => 1),
  ],
  'TypeError: `C`: undefined has no value in CEL': [
    () => environment().registerConstant('C', undefined),
  ],
  'TypeError: `C`: expected int, got a string': [
    () => environment().registerConstant('C', 'a', 'int'),
  ],
  'TypeError: a constant needs a name such as `user`, not the string "1"': [
    () => environment().registerConstant('1', 1),
  ],
  'TypeError: invalid signature `f`; expected for example `greet(string) -> string`': [
    () => environment().registerFunction('f', () => 1),
    () => libraryFrom('a', { f: () => 1 }),
  ],
  'TypeError: invalid signature `f(int)`; expected for example `greet(string) -> string`': [
    () => environment().registerFunction('f(int)', () => 1),
  ],
  'TypeError: invalid type `Usr`': [() => environment().registerFunction('f(Usr) -> int', () => 1)],
  'TypeError: `f` needs a function that computes it': [
    () => environment().registerFunction('f(int) -> int', wrong(undefined)),
    () => libraryFrom('a', { 'f() -> int': wrong(1) }),
  ],
  'TypeError: a function needs a signature such as `greet(string) -> string`': [
    () =>
      environment().registerFunction(
        wrong(() => 1),
        wrong('f(int) -> int'),
      ),
  ],
  'TypeError: the function `f` is asynchronous, and CEL evaluates at once: get what it needs before, and bind it as a variable':
    [
      () => environment().registerFunction('f(int) -> int', async () => 1),
      () => libraryFrom('a', { 'f() -> int': wrong(async () => 1) }),
    ],
  'TypeError: the function `f` is a generator, and CEL evaluates at once: get what it needs before, and bind it as a variable':
    [
      () =>
        environment().registerFunction('f(int) -> int', function* () {
          yield 1;
        }),
    ],
  'TypeError: `f` has an overload for (int) -> int already': [
    () =>
      environment()
        .registerFunction('f(int) -> int', () => 1)
        .registerFunction('f(int) -> int', () => 2),
  ],
  'TypeError: `size` has an overload for (string) -> int already': [
    () => environment().registerFunction('size(string) -> int', () => 1),
  ],
  'TypeError: invalid operator signature `+`; expected for example `Vector + Vector -> Vector` or `-Vector -> Vector`':
    [() => environment().registerOperator('+', () => 1)],
  'TypeError: invalid operator signature `string * int`; expected for example `Vector + Vector -> Vector` or `-Vector -> Vector`':
    [() => environment().registerOperator('string * int', () => '')],
  'TypeError: `_+_` has an overload for (int, int) -> int already': [
    () => environment().registerOperator('int + int -> int', () => 1),
  ],
  'TypeError: `string == int -> bool`: the operator `==` has the same meaning for all types and cannot be overloaded':
    [() => environment().registerOperator('string == int -> bool', () => true)],
  'TypeError: `int && int -> bool`: the operator `&&` has the same meaning for all types and cannot be overloaded':
    [() => environment().registerOperator('int && int -> bool', () => true)],
  'TypeError: `!string -> bool`: the operator `!` has the same meaning for all types and cannot be overloaded':
    [() => environment().registerOperator('!string -> bool', () => true)],
  TypeError: [() => environment().registerOperator('int ** int -> int', () => 1)],
  'TypeError: the function `string * int -> string` is asynchronous, and CEL evaluates at once: get what it needs before, and bind it as a variable':
    [() => environment().registerOperator('string * int -> string', async () => '')],
  'TypeError: the type `User` needs a class, `{ fields }` or a JSON Schema of an object': [
    () => environment().registerType('User', wrong(undefined)),
    () => environment().registerType('User', {}),
    () => environment().registerType('User', wrong([])),
  ],
  'TypeError: the schema of `User` has no `properties`': [
    () => environment().registerType('User', { type: 'string' }),
  ],
  'TypeError: invalid type `text`': [
    () => environment().registerType('User', { fields: { a: 'text' } }),
  ],
  'TypeError: the type `int` already exists': [
    () => environment().registerType('int', { fields: {} }),
  ],
  'TypeError: the type `A` already exists': [
    () => environment().registerType('A', { fields: {} }).registerType('A', { fields: {} }),
  ],
  'ExpressionError: no such overload: f()': [
    () =>
      new Environment({
        libraries: [
          { ...library, functions: [{ name: 'f', overloads: [overload('f', '() -> int')] }] },
        ],
      }).evaluate('f()'),
  ],
  'TypeError: `_==_` has the same meaning for all types and cannot be overloaded': [
    () =>
      new Environment({
        libraries: [
          {
            ...library,
            functions: [
              {
                name: '_==_',
                overloads: [overload('e', '(string, int) -> bool', { evaluate: () => true })],
              },
            ],
          },
        ],
      }),
  ],
  'TypeError: invalid type ``': [() => typeFrom('')],
  'TypeError: `value`: a function has no value in CEL: call it, or register it as a function': [
    () => toCel(() => 1),
  ],
  'TypeError: `value`: undefined has no value in CEL': [() => toCel(undefined)],
  'TypeError: `value`: expected string, got 1': [() => toCel(1, 'string')],
  'TypeError: invalid type `strin`': [() => toCel(1, 'strin')],
  'TypeError: cannot convert a CEL error to JavaScript: a': [() => toJs(new CelError('a'))],
};

/** Functions of the host, and the errors for their results. */
const functions: readonly (readonly [
  what: string,
  result: unknown,
  type: string,
  outcome: string,
])[] = [
  [
    'a text for an int',
    'a',
    'int',
    'ExpressionError: function `f` returned a wrong value: `f()`: expected int, got a string',
  ],
  [
    'a fraction for an int',
    1.5,
    'int',
    'ExpressionError: function `f` returned a wrong value: `f()`: expected int, got 1.5',
  ],
  ['nothing', undefined, 'int', 'ExpressionError: function `f` gave no result'],
  [
    'null for an int',
    null,
    'int',
    'ExpressionError: function `f` returned a wrong value: `f()`: expected int, got null',
  ],
  [
    'a promise',
    Promise.resolve(1),
    'int',
    'ExpressionError: function `f` returned a wrong value: `f()`: expected int, got a Promise: wait for it (`await`) before evaluating',
  ],
  [
    'a promise for dyn',
    Promise.resolve(1),
    'dyn',
    'ExpressionError: function `f` returned a wrong value: `f()`: a Promise has no value in CEL: wait for it (`await`) before evaluating',
  ],
  [
    'a function',
    () => 1,
    'dyn',
    'ExpressionError: function `f` returned a wrong value: `f()`: a function has no value in CEL: call it, or register it as a function',
  ],
  [
    'a list with a text in it',
    [1, 'a'],
    'list<int>',
    'ExpressionError: function `f` returned a wrong value: `f()[1]`: expected int, got a string',
  ],
  [
    'an object with a promise in it',
    { a: Promise.resolve(1) },
    'dyn',
    'ExpressionError: function `f` returned a wrong value: `f().a`: a Promise has no value in CEL: wait for it (`await`) before evaluating',
  ],
  ['an int for a double', 2, 'double', '2.0'],
  ['a bigint for a uint', 2n, 'uint', '2u'],
  [
    'a negative uint',
    -2,
    'uint',
    'ExpressionError: function `f` returned a wrong value: `f()`: expected uint, got -2',
  ],
  ['a Date', new Date(0), 'timestamp', 'timestamp("1970-01-01T00:00:00Z")'],
  [
    'an invalid Date',
    new Date(Number.NaN),
    'timestamp',
    'ExpressionError: function `f` returned a wrong value: `f()`: an invalid Date cannot be a timestamp',
  ],
  [
    'true for a text',
    true,
    'string',
    'ExpressionError: function `f` returned a wrong value: `f()`: expected string, got true',
  ],
  [
    'a text for a bool',
    'true',
    'bool',
    'ExpressionError: function `f` returned a wrong value: `f()`: expected bool, got a string',
  ],
  [
    '1 for a bool',
    1,
    'bool',
    'ExpressionError: function `f` returned a wrong value: `f()`: expected bool, got 1',
  ],
  ['an error of CEL', new CelError('as it should'), 'int', 'ExpressionError: as it should'],
];

function outcomeOf(run: () => unknown): string {
  try {
    const value = run();
    return formatLiteral(toCel(value));
  } catch (failure) {
    if (failure instanceof ExpressionError) return `ExpressionError: ${failure.issues[0]?.message}`;
    return `${(failure as Error).name}: ${(failure as Error).message}`;
  }
}

function expectOutcome(run: () => unknown, outcome: string): void {
  const found = outcomeOf(run);
  if (/^\w+Error$/.test(outcome)) expect(found.split(':')[0], String(run)).toBe(outcome);
  else expect(found, String(run)).toBe(outcome);
}

describe('a wrong call ends with', () => {
  for (const [outcome, runs] of Object.entries(calls)) {
    test(outcome, () => {
      for (const run of runs) expectOutcome(run, outcome);
    });
  }
});

describe('functions of the host that give', () => {
  for (const [what, result, type, outcome] of functions) {
    test(`${what}: ${outcome}`, () => {
      const declared = new Environment().registerFunction(`f() -> ${type}`, () => result);
      const { checked } = declared.compile('f()');
      const program = checked && declared.plan(checked);
      expectOutcome(() => {
        if (outcome.startsWith('ExpressionError')) return declared.evaluate('f()');
        return program instanceof Program ? program.evaluate().value : undefined;
      }, outcome);
    });
  }

  test.each([
    ['an Error', new Error('boom'), 'function `f` failed: boom'],
    ['a text', 'boom', 'function `f` failed: boom'],
    ['nothing', undefined, 'function `f` failed: undefined'],
  ])('a failure: %s', (_, thrown, message) => {
    const declared = new Environment().registerFunction('f() -> int', () => {
      throw thrown;
    });
    expect(outcomeOf(() => declared.evaluate('f()'))).toBe(`ExpressionError: ${message}`);
    expect(declared.evaluate('true || f() == 1')).toBe(true);
    expect(declared.evaluate('[1].exists(x, f() == 1) || true')).toBe(true);
  });
});

test('errors have a position', () => {
  try {
    evaluate('1 == 1 &&\n  user.name.size() > 3', { user: {} });
    expect.unreachable();
  } catch (failure) {
    expect(failure).toBeInstanceOf(ExpressionError);
    const { line, column, position, issues } = failure as ExpressionError;
    expect({ line, column, position }).toEqual({ line: 2, column: 6, position: 16 });
    expect(issues).toHaveLength(1);
  }
});

test('planning errors have a place', () => {
  expect(parse('1 == 1 && timestamp("a") == x').issues[0]?.position).toBe(19);
});

test('later declarations apply to later evaluations', () => {
  const declared = new Environment({ unlistedVariablesAreDyn: true });
  expect(outcomeOf(() => declared.evaluate('f(1)'))).toMatch(/undeclared reference/);
  declared.registerFunction('f(int) -> int', (value: number) => value + 1);
  expect(declared.evaluate('f(1)')).toBe(2);
});

test('and not for what was read before, though its meaning is found later', () => {
  const declared = new Environment({ unlistedVariablesAreDyn: true });
  const before = declared.evaluator('f(x)');
  declared.registerFunction('f(int) -> int', (value: number) => value + 1);
  expect(before.issues[0]?.message).toMatch(/undeclared reference to 'f'/);
  expect(outcomeOf(() => before({ x: 1 }))).toMatch(/undeclared reference to 'f'/);
  expect(declared.evaluator('f(x) + 0')({ x: 1 })).toBe(2);
});
