import { describe, expect, test } from 'vitest';
import { describeDifferences, differences } from '../src/difference.ts';

describe('differences', () => {
  test('do not see the order of keys', () => {
    expect(differences({ a: 1, b: [2] }, { b: [2], a: 1 })).toEqual([]);
  });

  test('name the place of each', () => {
    expect(differences({ a: [1, { b: 'x' }], c: 1 }, { a: [1, { b: 'y' }, 2] })).toEqual([
      { path: 'a[1].b', expected: 'x', actual: 'y' },
      { path: 'a[2]', expected: undefined, actual: 2 },
      { path: 'c', expected: 1, actual: undefined },
    ]);
  });

  test('tell null from nothing and a list from an object', () => {
    expect(differences({ a: null }, {})).toHaveLength(1);
    expect(differences([], {})).toHaveLength(1);
  });

  test('see one digit of a long integer', () => {
    expect(differences(9007199254740993n, 9007199254740992n)).toHaveLength(1);
    expect(differences(9007199254740993n, 9007199254740993n)).toEqual([]);
  });
});

describe('describeDifferences', () => {
  test('counts those that are left out', () => {
    const found = differences([1, 2, 3], [4, 5, 6]);
    expect(describeDifferences(found, 1)).toBe(
      '  [0]\n    expected 1\n    actual   4\n  and 2 more',
    );
  });
});
