import { expect, test } from 'vitest';
import { getOrMake, groupBy } from '../src/get-or-make.ts';

test('an existing entry of a map is not created again', () => {
  const made: string[] = [];
  const map = new Map([['a', 0]]);
  const take = (key: string): number => getOrMake(map, key, () => made.push(key));
  expect([take('a'), take('b'), take('b'), take('c')]).toEqual([0, 1, 1, 2]);
  expect(made).toEqual(['b', 'c']);
  expect([...map]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
  ]);
});

test('items come by their keys, both in their order', () => {
  const groups = groupBy(['pear', 'plum', 'apple', 'peach'], ([first]) => first);
  expect([...groups]).toEqual([
    ['p', ['pear', 'plum', 'peach']],
    ['a', ['apple']],
  ]);
});
