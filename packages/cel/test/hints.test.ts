import { expect, test } from 'vitest';
import { libraryFunctions } from '../src/environment/hints.ts';
import { ExpressionError, evaluate, type Library, parse } from '../src/index.ts';
import { bindingsLibrary } from '../src/libraries/bindings.ts';
import { encodersLibrary } from '../src/libraries/encoders.ts';
import { listsLibrary } from '../src/libraries/lists.ts';
import { mathLibrary } from '../src/libraries/math.ts';
import { setsLibrary } from '../src/libraries/sets.ts';
import { stringsLibrary } from '../src/libraries/strings.ts';

function errorOf(text: string, variables: object): ExpressionError {
  try {
    evaluate(text, variables);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${text} has a value`);
}

test.each([
  ['price * 2', '1:7: no such overload (the types are double and int)'],
  ['-name', '1:1: no such overload (the type is string)'],
  ['name.startsWith(price)', '1:16: no such overload (the types are string and double)'],
  ['[1].all(i, i > name)', '1:14: no such overload (the types are int and string)'],
  ['name.first', '1:5: no such key: first'],
  ['user.nmae', '1:5: no such key: nmae'],
  ['1 + "a"', "1:3: found no matching overload for '_+_' applied to '(int, string)'"],
  ['1 === 1', '1:5: Syntax error: unexpected `=` (CEL has `==`, `>=` and `<=`)'],
  ['true and false', '1:6: Syntax error: unexpected `and` (CEL has `&&`)'],
  ['true | false', '1:6: Syntax error: unexpected `|` (CEL has `||`)'],
  [
    '"a,b".split(",")',
    "1:12: undeclared reference to 'split' (in container '') (`split` is a function of stringsLibrary; add it to `libraries`)",
  ],
  ['1 +\n "a".length()', "2:12: undeclared reference to 'length' (in container '')"],
])('the message of %j is one line with its place', (text, message) => {
  const variables = { price: 1.5, name: 'a', user: { name: 'b' } };
  expect(errorOf(text, variables).message).toBe(message);
});

test('the excerpt shows the line of each issue, as cel-go prints it', () => {
  const { excerpt, hint } = errorOf('a.b.c', { a: { b: {} } });
  expect(excerpt).toBe('ERROR: <input>:1:4: no such key: c\n | a.b.c\n | ...^');
  expect(hint).toBeUndefined();
});

const libraries: Readonly<Record<string, Library>> = {
  bindingsLibrary,
  encodersLibrary,
  listsLibrary,
  mathLibrary,
  setsLibrary,
  stringsLibrary,
};

test.each([...libraryFunctions])('%s has the functions that its hints name', (library, names) => {
  const { functions = [], macros = [] } = libraries[library] as Library;
  const known = [...functions, ...macros].map(({ name }) => name.replace(/^.*\./, ''));
  expect(known).toEqual(expect.arrayContaining([...names]));
});

test('an evaluator has no enumerable properties, which consoles would print', () => {
  const evaluator = parse('1');
  const symbols = Object.getOwnPropertySymbols(evaluator);
  expect(
    symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(evaluator, key)),
  ).toEqual([]);
  expect(Object.keys(evaluator)).toEqual([]);
});
