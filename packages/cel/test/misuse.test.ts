import { describe, expect, test } from 'vitest';
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
import { overload } from '../src/internal.ts';
import { parseExpression, printExpression } from '../src/syntax.ts';

// Wrong calls: a `TypeError` for wrong arguments, an
// `ExpressionError` for wrong expressions and values, and never a result.

/** Calls with arguments that their types forbid. */
// biome-ignore lint/suspicious/noExplicitAny: that is what is tested
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

const calls: readonly (readonly [call: string, run: () => unknown, outcome: string])[] = [
  [
    'evaluate with a limit that is misspelt',
    () => evaluate('1', {}, wrong({ costlimit: 5 })),
    'TypeError: unknown option `costlimit`; expected one of environment, variables, costLimit, isCancelled, ints, timestamps, durations, maps',
  ],
  [
    'an expression that was read, with a limit that is misspelt',
    () => parse('1')({}, wrong({ costlimit: 5 })),
    'TypeError: unknown option `costlimit`; expected one of environment, variables, costLimit, isCancelled, ints, timestamps, durations, maps',
  ],
  [
    'parse with an option of another library',
    () => parse('1', wrong({ env: environment() })),
    'TypeError: unknown option `env`; expected one of environment, variables, costLimit, isCancelled, ints, timestamps, durations, maps',
  ],
  [
    'check with an option that is misspelt',
    () => check('a', wrong({ variable: { a: 'int' } })),
    'TypeError: unknown option `variable`; expected one of environment, variables, costLimit, isCancelled, ints, timestamps, durations, maps',
  ],
  [
    'new Environment with an option that is misspelt',
    () => new Environment(wrong({ variable: { a: 'int' } })),
    'TypeError: new Environment: unknown option `variable` (did you mean `variables`?)',
  ],
  [
    'new Environment with a Map of variables',
    () => new Environment(wrong({ variables: new Map([['a', 'int']]) })),
    "TypeError: `variables` are types by names, such as `{ user: 'map<string, dyn>' }`",
  ],
  [
    'new Environment with one library',
    () => new Environment(wrong({ libraries: library })),
    'TypeError: `libraries` are a list of libraries, such as `[optionalLibrary]`',
  ],
  [
    'new Environment with the name of a library',
    () => new Environment(wrong({ libraries: ['strings'] })),
    'TypeError: `libraries` are a list of libraries, such as `[optionalLibrary]`',
  ],
  [
    'new Environment with a variable that no expression can name',
    () => new Environment({ variables: { 'a-b': 'int' } }),
    'TypeError: a variable needs a name such as `user`, not the string "a-b"',
  ],
  [
    'extend with a constant that no expression can name',
    () => environment().extend({ constants: { 'a b': 1 } }),
    'TypeError: a constant needs a name such as `user`, not the string "a b"',
  ],
  [
    'new Environment with a type that no expression can name',
    () => new Environment({ types: { 'My Type': { a: 'int' } } }),
    'TypeError: a type needs a name such as `user`, not the string "My Type"',
  ],
  [
    'new Environment with a truth as a text',
    () => new Environment(wrong({ mixedComparisons: 'no' })),
    'TypeError: new Environment: `mixedComparisons` must be a boolean, got the string "no"',
  ],
  [
    'new Environment with one rule',
    () => new Environment(wrong({ rules: () => undefined })),
    'TypeError: new Environment: `rules` must be a list, got a function',
  ],
  [
    'parseExpression(undefined)',
    () => parseExpression(wrong(undefined)),
    'TypeError: an expression is a string',
  ],
  [
    'parseExpression(["x"])',
    () => parseExpression(wrong(['x'])),
    'TypeError: an expression is a string',
  ],
  [
    'printExpression of a text',
    () => printExpression(wrong('a + b')),
    'TypeError: printExpression: expected the `expression` of a result of `parseExpression`, got the string "a + b"',
  ],
  [
    'printExpression of what parseExpression gave, whole',
    () => printExpression(wrong(parseExpression('a + b'))),
    'TypeError: printExpression: expected the `expression` of a result of `parseExpression`, got an object',
  ],
  [
    'libraryFrom without a name',
    () => libraryFrom(wrong({ 'f() -> int': () => 1 }), wrong(undefined)),
    'TypeError: libraryFrom: expected the name of the library first, got an object',
  ],
  [
    'libraryFrom without functions',
    () => libraryFrom('a', wrong(undefined)),
    'TypeError: libraryFrom: expected functions by their signatures, got undefined',
  ],
  [
    'libraryFrom with a list of functions',
    () => libraryFrom('a', wrong([() => 1])),
    'TypeError: libraryFrom: expected functions by their signatures, got a list',
  ],
  ['evaluate(undefined)', () => evaluate(wrong(undefined)), 'TypeError: an expression is a string'],
  ['evaluate(null)', () => evaluate(wrong(null)), 'TypeError: an expression is a string'],
  ['evaluate(1)', () => evaluate(wrong(1)), 'TypeError: an expression is a string'],
  ['evaluate({})', () => evaluate(wrong({})), 'TypeError: an expression is a string'],
  ['evaluate(["x"])', () => evaluate(wrong(['x'])), 'TypeError: an expression is a string'],
  [
    'evaluate(Promise)',
    () => evaluate(wrong(Promise.resolve('1'))),
    'TypeError: an expression is a string',
  ],
  ['evaluate("")', () => evaluate(''), 'ExpressionError'],
  ['evaluate(" ")', () => evaluate(' '), 'ExpressionError'],
  ['evaluate("1 +")', () => evaluate('1 +'), 'ExpressionError'],
  ['evaluate("1 1")', () => evaluate('1 1'), 'ExpressionError'],
  [
    'evaluate("x", null)',
    () => evaluate('x', wrong(null)),
    'TypeError: the variables have to be an object: the values by the names of the variables',
  ],
  [
    'evaluate("x", 1)',
    () => evaluate('x', wrong(1)),
    'TypeError: the variables have to be an object: the values by the names of the variables',
  ],
  [
    'evaluate("x", "a")',
    () => evaluate('x', wrong('a')),
    'TypeError: the variables have to be an object: the values by the names of the variables',
  ],
  [
    'evaluate("x", [1])',
    () => evaluate('x', [1]),
    'TypeError: the variables have to be an object: the values by the names of the variables',
  ],
  [
    'evaluate("x", Map)',
    () => evaluate('x', new Map([['x', 1]])),
    'TypeError: the variables have to be an object: the values by the names of the variables',
  ],
  [
    'evaluate("x", Date)',
    () => evaluate('x', new Date()),
    'TypeError: the variables have to be an object: the values by the names of the variables',
  ],
  [
    'evaluate("x", Promise)',
    () => evaluate('x', Promise.resolve({ x: 1 })),
    'TypeError: the variables are a Promise: wait for them (`await`) before',
  ],
  [
    'evaluate("x", what refuses to be read)',
    () => evaluate('x', refusing),
    'ExpressionError: reading `x` failed: closed',
  ],
  ['evaluate("x", {})', () => evaluate('x', {}), 'ExpressionError: no such attribute(s): x'],
  [
    'evaluate("x") with a misspelt variable',
    () => evaluate('x', { X: 1 }),
    'ExpressionError: no such attribute(s): x',
  ],
  [
    'evaluate("toString")',
    () => evaluate('toString', {}),
    'ExpressionError: no such attribute(s): toString',
  ],
  [
    'evaluate("constructor")',
    () => evaluate('constructor', {}),
    'ExpressionError: no such attribute(s): constructor',
  ],
  [
    'evaluate("__proto__")',
    () => evaluate('__proto__', {}),
    'ExpressionError: no such attribute(s): __proto__',
  ],
  [
    'evaluate("1", {}, null)',
    () => evaluate('1', {}, wrong(null)),
    'TypeError: the options have to be an object: such as `{ environment }`',
  ],
  [
    'evaluate("1", {}, 5)',
    () => evaluate('1', {}, wrong(5)),
    'TypeError: the options have to be an object: such as `{ environment }`',
  ],
  [
    'evaluate with options as the environment',
    () => evaluate('1', {}, { environment: wrong({ variables: {} }) }),
    'TypeError: `environment` has to be an `Environment`',
  ],
  [
    'costLimit NaN',
    () => evaluate('1', {}, { costLimit: Number.NaN }),
    'TypeError: `costLimit` has to be a number',
  ],
  [
    'costLimit "10"',
    () => evaluate('1', {}, { costLimit: wrong('10') }),
    'TypeError: `costLimit` has to be a number',
  ],
  [
    'costLimit 10n',
    () => evaluate('1', {}, { costLimit: wrong(10n) }),
    'TypeError: `costLimit` has to be a number',
  ],
  [
    'costLimit null',
    () => evaluate('[1].all(x, x > 0)', {}, { costLimit: wrong(null) }),
    'TypeError: `costLimit` has to be a number',
  ],
  [
    'costLimit 0',
    () => evaluate('x', { x: 1 }, { costLimit: 0 }),
    'ExpressionError: operation cancelled: actual cost limit exceeded',
  ],
  [
    'costLimit -1',
    () => evaluate('x', { x: 1 }, { costLimit: -1 }),
    'ExpressionError: operation cancelled: actual cost limit exceeded',
  ],
  [
    'isCancelled that throws',
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
    'ExpressionError: internal error: gone',
  ],
  ['parse(undefined)', () => parse(wrong(undefined)), 'TypeError: an expression is a string'],
  ['parse("1 +")', () => parse('1 +'), 'ExpressionError'],
  [
    'parse of wrong types, called',
    () => parse('1 + "a"')(),
    "ExpressionError: found no matching overload for '_+_' applied to '(int, string)'",
  ],
  [
    'parse of an unknown function, called',
    () => parse('nope(1)')(),
    "ExpressionError: undeclared reference to 'nope' (in container '')",
  ],
  ['parse of what cannot be planned, called', () => parse('timestamp("a")')(), 'ExpressionError'],
  [
    'parse(...)(null)',
    () => parse('x')(wrong(null)),
    'TypeError: the variables have to be an object: the values by the names of the variables',
  ],
  [
    'parse(...)({}, null)',
    () => parse('1')({}, wrong(null)),
    'TypeError: the options have to be an object: such as `{ environment }`',
  ],
  ['check(undefined)', () => check(wrong(undefined)), 'TypeError: an expression is a string'],
  [
    'check with a type that is none',
    () => check('x', { variables: { x: 'integer' } }),
    'TypeError: invalid type `integer`',
  ],
  [
    'check with variables as a list',
    () => check('x', { variables: wrong(['x']) }),
    "TypeError: `variables` are types by names, such as `{ user: 'map<string, dyn>' }`",
  ],
  [
    'check with a value for a type',
    () => check('x', { variables: { x: wrong(5) } }),
    'TypeError: a type must be a string such as `list<string>`',
  ],
  [
    'new Environment(null)',
    () => new Environment(wrong(null)),
    'TypeError: new Environment: expected options as an object, got null',
  ],
  [
    'new Environment([])',
    () => new Environment(wrong([])),
    'TypeError: new Environment: expected options as an object, got a list',
  ],
  [
    'new Environment("x")',
    () => new Environment(wrong('x')),
    'TypeError: new Environment: expected options as an object, got the string "x"',
  ],
  [
    'extend(null)',
    () => environment().extend(wrong(null)),
    'TypeError: extend: expected options as an object, got null',
  ],
  [
    'compile(undefined)',
    () => environment().compile(wrong(undefined)),
    'TypeError: an expression is a string',
  ],
  [
    'environment.parse(1)',
    () => environment().parse(wrong(1)),
    'TypeError: an expression is a string',
  ],
  [
    'Program.evaluate(null)',
    () => planned('x').evaluate(wrong(null)),
    'TypeError: variables are bound by an object of values by name, or a function',
  ],
  [
    'Program.evaluate("x")',
    () => planned('x').evaluate(wrong('x')),
    'TypeError: variables are bound by an object of values by name, or a function',
  ],
  [
    'Program.evaluate(1)',
    () => planned('x').evaluate(wrong(1)),
    'TypeError: variables are bound by an object of values by name, or a function',
  ],
  [
    'Program.evaluate with NaN',
    () => planned('x').evaluate({ x: 1 }, { costLimit: Number.NaN }),
    'TypeError: `costLimit` has to be a number',
  ],
  [
    'registerVariable without a type',
    () => environment().registerVariable('y', wrong(undefined)),
    'TypeError: a type must be a string such as `list<string>`',
  ],
  [
    'registerVariable("", …)',
    () => environment().registerVariable('', 'int'),
    'TypeError: a variable needs a name such as `user`, not the string ""',
  ],
  [
    'registerVariable("a b", …)',
    () => environment().registerVariable('a b', 'int'),
    'TypeError: a variable needs a name such as `user`, not the string "a b"',
  ],
  [
    'registerVariable(undefined, …)',
    () => environment().registerVariable(wrong(undefined), 'int'),
    'TypeError: a variable needs a name such as `user`, not undefined',
  ],
  [
    'registerVariable with an unknown type',
    () => environment().registerVariable('y', 'User'),
    'TypeError: invalid type `User`',
  ],
  [
    'registerVariable with half a type',
    () => environment().registerVariable('y', 'list<int'),
    'TypeError: invalid type `list<int`',
  ],
  [
    'registerVariable with list<>',
    () => environment().registerVariable('y', 'list<>'),
    'TypeError: invalid type `list<>`',
  ],
  [
    'registerVariable with map<string>',
    () => environment().registerVariable('y', 'map<string>'),
    'TypeError: invalid type `map<string>`',
  ],
  [
    'registerVariable with set<int>',
    () => environment().registerVariable('y', 'set<int>'),
    'TypeError: invalid type `set<int>`',
  ],
  [
    'registerConstant of a function',
    () => environment().registerConstant('C', () => 1),
    'TypeError: `C`: a function has no value in CEL: call it, or register it as a function',
  ],
  [
    'registerConstant of undefined',
    () => environment().registerConstant('C', undefined),
    'TypeError: `C`: undefined has no value in CEL',
  ],
  [
    'registerConstant of another type',
    () => environment().registerConstant('C', 'a', 'int'),
    'TypeError: `C`: expected int, got a string',
  ],
  [
    'registerConstant("1", …)',
    () => environment().registerConstant('1', 1),
    'TypeError: a constant needs a name such as `user`, not the string "1"',
  ],
  [
    'registerFunction("f", …)',
    () => environment().registerFunction('f', () => 1),
    'TypeError: invalid signature `f`; expected for example `greet(string) -> string`',
  ],
  [
    'registerFunction("f(int)", …)',
    () => environment().registerFunction('f(int)', () => 1),
    'TypeError: invalid signature `f(int)`; expected for example `greet(string) -> string`',
  ],
  [
    'registerFunction of an unknown type',
    () => environment().registerFunction('f(Usr) -> int', () => 1),
    'TypeError: invalid type `Usr`',
  ],
  [
    'registerFunction without a function',
    () => environment().registerFunction('f(int) -> int', wrong(undefined)),
    'TypeError: `f` needs a function that computes it',
  ],
  [
    'registerFunction with arguments swapped',
    () =>
      environment().registerFunction(
        wrong(() => 1),
        wrong('f(int) -> int'),
      ),
    'TypeError: a function needs a signature such as `greet(string) -> string`',
  ],
  [
    'registerFunction of an async function',
    () => environment().registerFunction('f(int) -> int', async () => 1),
    'TypeError: the function `f` is asynchronous, and CEL evaluates at once: get what it needs before, and bind it as a variable',
  ],
  [
    'registerFunction of a generator',
    () =>
      environment().registerFunction('f(int) -> int', function* () {
        yield 1;
      }),
    'TypeError: the function `f` is a generator, and CEL evaluates at once: get what it needs before, and bind it as a variable',
  ],
  [
    'registerFunction twice',
    () =>
      environment()
        .registerFunction('f(int) -> int', () => 1)
        .registerFunction('f(int) -> int', () => 2),
    'TypeError: `f` has an overload for (int) -> int already',
  ],
  [
    'registerFunction of a standard one',
    () => environment().registerFunction('size(string) -> int', () => 1),
    'TypeError: `size` has an overload for (string) -> int already',
  ],
  [
    'registerOperator("+", …)',
    () => environment().registerOperator('+', () => 1),
    'TypeError: invalid operator signature `+`; expected for example `Vector + Vector -> Vector` or `-Vector -> Vector`',
  ],
  [
    'registerOperator without a result',
    () => environment().registerOperator('string * int', () => ''),
    'TypeError: invalid operator signature `string * int`; expected for example `Vector + Vector -> Vector` or `-Vector -> Vector`',
  ],
  [
    'registerOperator of int + int',
    () => environment().registerOperator('int + int -> int', () => 1),
    'TypeError: `_+_` has an overload for (int, int) -> int already',
  ],
  [
    'registerOperator of ==',
    () => environment().registerOperator('string == int -> bool', () => true),
    'TypeError: `string == int -> bool`: the operator `==` means the same for all types and takes no overloads',
  ],
  [
    'registerOperator of &&',
    () => environment().registerOperator('int && int -> bool', () => true),
    'TypeError: `int && int -> bool`: the operator `&&` means the same for all types and takes no overloads',
  ],
  [
    'registerOperator of !',
    () => environment().registerOperator('!string -> bool', () => true),
    'TypeError: `!string -> bool`: the operator `!` means the same for all types and takes no overloads',
  ],
  [
    'registerOperator of **',
    () => environment().registerOperator('int ** int -> int', () => 1),
    'TypeError',
  ],
  [
    'registerOperator of an async function',
    () => environment().registerOperator('string * int -> string', async () => ''),
    'TypeError: the function `string * int -> string` is asynchronous, and CEL evaluates at once: get what it needs before, and bind it as a variable',
  ],
  [
    'registerType of nothing',
    () => environment().registerType('User', wrong(undefined)),
    'TypeError: the type `User` needs a class, `{ fields }` or a JSON Schema of an object',
  ],
  [
    'registerType of {}',
    () => environment().registerType('User', {}),
    'TypeError: the type `User` needs a class, `{ fields }` or a JSON Schema of an object',
  ],
  [
    'registerType of a list',
    () => environment().registerType('User', wrong([])),
    'TypeError: the type `User` needs a class, `{ fields }` or a JSON Schema of an object',
  ],
  [
    'registerType of a schema that is no object',
    () => environment().registerType('User', { type: 'string' }),
    'TypeError: the schema of `User` has no `properties`',
  ],
  [
    'registerType with an unknown field type',
    () => environment().registerType('User', { fields: { a: 'text' } }),
    'TypeError: invalid type `text`',
  ],
  [
    'registerType("int", …)',
    () => environment().registerType('int', { fields: {} }),
    'TypeError: there is a type `int` already',
  ],
  [
    'registerType twice',
    () => environment().registerType('A', { fields: {} }).registerType('A', { fields: {} }),
    'TypeError: there is a type `A` already',
  ],
  [
    'a library without implementation, called',
    () =>
      new Environment({
        libraries: [
          { ...library, functions: [{ name: 'f', overloads: [overload('f', '() -> int')] }] },
        ],
      }).evaluate('f()'),
    'ExpressionError: no such overload: f()',
  ],
  [
    'a library that redefines ==',
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
    'TypeError: `_==_` means the same for all types and takes no overloads',
  ],
  [
    'libraryFrom with no signature',
    () => libraryFrom('a', { f: () => 1 }),
    'TypeError: invalid signature `f`; expected for example `greet(string) -> string`',
  ],
  [
    'libraryFrom with an async function',
    () => libraryFrom('a', { 'f() -> int': wrong(async () => 1) }),
    'TypeError: the function `f` is asynchronous, and CEL evaluates at once: get what it needs before, and bind it as a variable',
  ],
  [
    'libraryFrom with no function',
    () => libraryFrom('a', { 'f() -> int': wrong(1) }),
    'TypeError: `f` needs a function that computes it',
  ],
  [
    'typeFrom(undefined)',
    () => typeFrom(wrong(undefined)),
    'TypeError: a type must be a string such as `list<string>`',
  ],
  ['typeFrom("")', () => typeFrom(''), 'TypeError: invalid type ``'],
  [
    'toCel(function)',
    () => toCel(() => 1),
    'TypeError: `value`: a function has no value in CEL: call it, or register it as a function',
  ],
  ['toCel(undefined)', () => toCel(undefined), 'TypeError: `value`: undefined has no value in CEL'],
  ['toCel(1, "string")', () => toCel(1, 'string'), 'TypeError: `value`: expected string, got 1'],
  ['toCel(1, "strin")', () => toCel(1, 'strin'), 'TypeError: invalid type `strin`'],
  [
    'toJs(an error)',
    () => toJs(new CelError('a')),
    'TypeError: cannot convert a CEL error to JavaScript: a',
  ],
];

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
  if (/^\w+Error$/.test(outcome)) expect(found.split(':')[0]).toBe(outcome);
  else expect(found).toBe(outcome);
}

describe('calls', () => {
  for (const [call, run, outcome] of calls) {
    test(`${call}: ${outcome}`, () => expectOutcome(run, outcome));
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

test('what is declared later counts for what is evaluated later', () => {
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
