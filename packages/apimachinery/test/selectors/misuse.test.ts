import { expect, test } from 'vitest';
import { compileLabelSelector, parseLabelSelector } from '../../src/index.ts';

// An empty selector selects everything: a text must not be taken for one.

test.each<[unknown, string]>([
  ['app=web', 'got the string "app=web"'],
  [1, 'got the number 1'],
  [['app=web'], 'got a list'],
  [Promise.resolve({}), 'got a Promise (await it)'],
])('compileLabelSelector takes objects: %j', (given, problem) => {
  const expected = new TypeError(`compileLabelSelector: expected a label selector, ${problem}`);
  expect(() => compileLabelSelector(given as object)).toThrow(expected);
});

test.each<[unknown, string]>([
  [undefined, 'got undefined'],
  [{ matchLabels: {} }, 'got an object'],
])('parseLabelSelector takes texts: %j', (given, problem) => {
  const expected = new TypeError(`parseLabelSelector: expected a string, ${problem}`);
  expect(() => parseLabelSelector(given as string)).toThrow(expected);
});
