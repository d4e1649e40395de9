import { expect, test } from 'vitest';
import { deepEqual } from '../../src/index.ts';
import cases from '../cases/deep-equal.json' with { type: 'json' };

// The results of Go's reflect.DeepEqual for the same JSON.
test.each(cases)('$left and $right: $equal', ({ left, right, equal }) => {
  expect(deepEqual(left, right)).toBe(equal);
  expect(deepEqual(right, left)).toBe(equal);
});

test('instances of different classes are not the same', () => {
  class Price {
    readonly value = 1;
  }
  expect(deepEqual(new Price(), new Price())).toBe(true);
  expect(deepEqual(new Price(), { value: 1 })).toBe(false);
});
