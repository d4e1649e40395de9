import { expect, test } from 'vitest';
import { closest, describeValue, errorText, requireOptions } from '../src/index.ts';

test.each([
  [undefined, 'undefined'],
  [null, 'null'],
  [[], 'a list'],
  [{}, 'an object'],
  ['pods', 'the string "pods"'],
  [Promise.resolve(), 'a Promise (await it)'],
  [new Map(), 'an object of the class Map (expected plain JSON data)'],
  [5, 'the number 5'],
])('%o is described as %s', (value, text) => {
  expect(describeValue(value)).toBe(text);
});

const known = { depth: 'number', mode: ['fast', 'slow'] } as const;

test.each([
  [[], 'walk: expected options as an object, got a list'],
  [{ deph: 1 }, 'walk: unknown option `deph` (did you mean `depth`?)'],
  [{ width: 1 }, 'walk: unknown option `width` (expected one of depth, mode)'],
  [{ depth: '1' }, 'walk: `depth` must be a number, got the string "1"'],
  [{ mode: 'quick' }, 'walk: `mode` must be one of "fast", "slow", got the string "quick"'],
])('rejects the options %j', (options, message) => {
  expect(() => requireOptions('walk', options, known)).toThrow(new TypeError(message));
});

test('accepts known options, and an undefined one as absent', () => {
  expect(() => requireOptions('walk', { depth: 1, mode: undefined }, known)).not.toThrow();
});

test.each([
  ['Deploymnet', 'Deployment'],
  ['secret', 'Secret'],
  ['Ingress', undefined],
])('the closest name to %s is %s', (word, name) => {
  expect(closest(word, ['Deployment', 'Secret'])).toBe(name);
});

test('the text of a thrown value is its message, or the value as a string', () => {
  expect([new TypeError('no'), 'no'].map(errorText)).toEqual(['no', 'no']);
});
