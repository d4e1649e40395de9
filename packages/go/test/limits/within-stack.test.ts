import { expect, test } from 'vitest';
import { NestingError, withinStack } from '../../src/internal.ts';

function depthOf(list: readonly unknown[]): number {
  const [inner] = list;
  return Array.isArray(inner) ? 1 + depthOf(inner) : 1;
}

test('a call that ends returns its result', () => {
  expect(withinStack(() => depthOf([[[]]]))).toBe(3);
});

test('a value that contains itself is an error that says so', () => {
  const itself: unknown[] = [];
  itself.push(itself);
  expect(() => withinStack(() => depthOf(itself))).toThrow(NestingError);
});

test('other errors are thrown unchanged', () => {
  const failure = new RangeError('beyond the end');
  expect(() =>
    withinStack(() => {
      throw failure;
    }),
  ).toThrow(failure);
});
