import { expect, test } from 'vitest';
import { defined, isPlainObject, lazily, memoize, setKey } from '../src/index.ts';

test('`__proto__` is set as an ordinary key', () => {
  const target: Record<string, unknown> = {};
  setKey(target, '__proto__', { admin: true });
  expect(Object.keys(target)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(target)).toBe(Object.prototype);
});

test('members that are undefined are left out', () => {
  expect(Object.keys(defined({ a: 1, b: undefined, c: null }))).toEqual(['a', 'c']);
});

test.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [new Map(), false],
])('whether %o is a plain object: %s', (value, expected) => {
  expect(isPlainObject(value)).toBe(expected);
});

test('a memoized function calls the original once for a text, but every time for a long one', () => {
  const parsed: string[] = [];
  const parse = memoize((text) => parsed.push(text), 3);
  for (const text of ['abc', 'abc', 'abcd', 'abcd']) parse(text);
  expect(parsed).toEqual(['abc', 'abcd', 'abcd']);
});

test('a lazy value is created once, on first use', () => {
  let made = 0;
  const value = lazily(() => ++made);
  expect([made, value(), value()]).toEqual([0, 1, 1]);
});
