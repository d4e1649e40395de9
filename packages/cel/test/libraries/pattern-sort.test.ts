import { expect, test } from 'vitest';
import { patternSort } from '../../src/libraries/pattern-sort.ts';

function numbers(length: number, make: (index: number) => number): number[] {
  return Array.from({ length }, (_, index) => make(index));
}

const shapes: Readonly<Record<string, (index: number) => number>> = {
  ascending: (index) => index,
  descending: (index) => -index,
  equal: () => 1,
  'few values': (index) => (index * 7) % 5,
  scattered: (index) => (index * 7919) % 1009,
  'organ pipe': (index) => Math.min(index, 500 - index),
};

test.each(Object.entries(shapes))('%s numbers are sorted', (_, make) => {
  for (const length of [0, 1, 2, 12, 13, 49, 50, 51, 200, 3000]) {
    const items = numbers(length, make);
    const expected = items.toSorted((left, right) => left - right);
    patternSort(items, (left, right) => left < right);
    expect(items).toEqual(expected);
  }
});

test('few comparisons are needed even for hostile orders', () => {
  let comparisons = 0;
  const items = numbers(4096, (index) => (index % 2 === 0 ? index : 4096 - index));
  patternSort(items, (left, right) => {
    comparisons++;
    return left < right;
  });
  expect(comparisons).toBeLessThan(4096 * 12 * 3);
});
