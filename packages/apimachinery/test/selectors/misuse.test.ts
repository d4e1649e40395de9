import { expect, test } from 'vitest';
import { compileLabelSelector, parseLabelSelector } from '../../src/index.ts';

// An empty selector selects everything: a text must not be taken for one.

test.each<[unknown, string]>([
  ['app=web', 'not the string "app=web"'],
  [1, 'not the number 1'],
  [['app=web'], 'not a list'],
  [Promise.resolve({}), 'not a Promise (await it)'],
])('compileLabelSelector takes objects: %j', (given, problem) => {
  const expected = new TypeError(`compileLabelSelector takes a label selector, ${problem}`);
  expect(() => compileLabelSelector(given as object)).toThrow(expected);
});

test.each<[unknown, string]>([
  [undefined, 'not undefined'],
  [{ matchLabels: {} }, 'not an object'],
])('parseLabelSelector takes texts: %j', (given, problem) => {
  const expected = new TypeError(`parseLabelSelector takes a text, ${problem}`);
  expect(() => parseLabelSelector(given as string)).toThrow(expected);
});
