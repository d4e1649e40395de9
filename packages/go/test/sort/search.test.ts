import { expect, test } from 'vitest';
import { search } from '../../src/sort/search.ts';

test.each([
  [[], 5, 0],
  [[1, 3, 5], 0, 0],
  [[1, 3, 5], 3, 1],
  [[1, 3, 5], 4, 2],
  [[1, 3, 5], 6, 3],
])('the first item of %j that is not below %i has the index %i', (items, least, index) => {
  expect(search(items.length, (i) => (items[i] ?? 0) >= least)).toBe(index);
});
