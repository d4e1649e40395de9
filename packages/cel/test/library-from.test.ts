import { expect, test } from 'vitest';
import { CelError, Environment, formatLiteral, libraryFrom, Program } from '../src/index.ts';

const library = libraryFrom('texts', {
  'greet(string) -> string': (name: string) => `Hello, ${name}!`,
  'greet(string, int) -> string': (name: string, times: number) => name.repeat(times),
  'string.shout() -> string': (text: string) => text.toUpperCase(),
  'list<string>.longest(int) -> string': (texts: readonly string[], most: number) =>
    texts.find(({ length }) => length >= most) ?? new CelError('none is that long'),
  'texts.empty() -> string': () => '',
});
const environment = new Environment({ libraries: [library] });

function evaluate(expression: string): string {
  const { checked, issues } = environment.compile(expression);
  const program = checked && environment.plan(checked);
  if (!(program instanceof Program)) return String(issues[0]?.message);
  const { value } = program.evaluate();
  return value instanceof CelError ? value.message : formatLiteral(value);
}

test.each([
  ["greet('Ada')", '"Hello, Ada!"'],
  ["greet('Ada', 2)", '"AdaAda"'],
  ["'a'.shout()", '"A"'],
  ["['a', 'bc'].longest(2)", '"bc"'],
  ["['a', 'bc'].longest(3)", 'none is that long'],
  ['texts.empty()', '""'],
  ['greet(1)', "found no matching overload for 'greet' applied to '(int)'"],
])('%s', (expression, result) => {
  expect(evaluate(expression)).toBe(result);
});

test.each(['greet', 'greet(string)', '(string) -> string', 'greet(text) -> string'])(
  'rejects the signature %s',
  (signature) => {
    expect(() => libraryFrom('texts', { [signature]: () => '' })).toThrow(
      /invalid (?:signature|type)/,
    );
  },
);
