import { expect, test } from 'vitest';
import { phrases, Random, words } from '../src/random.ts';

const draws = (seed: number) => {
  const random = new Random(seed);
  return Array.from({ length: 1000 }, () => random.next());
};

test('a seed repeats its numbers, and another seed has other numbers', () => {
  expect(draws(7)).toEqual(draws(7));
  expect(draws(7)).not.toEqual(draws(8));
});

test('numbers are spread from 0 to 1', () => {
  const numbers = draws(1);
  expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
  const tenths = new Set(numbers.map((number) => Math.floor(number * 10)));
  expect(tenths.size).toBe(10);
});

test('lists reach both of their bounds', () => {
  const random = new Random(3);
  const lengths = Array.from({ length: 200 }, () => random.list(2, 4, () => 0).length);
  expect([...new Set(lengths)].sort()).toEqual([2, 3, 4]);
});

test('members come as often as their probability says', () => {
  const random = new Random(5);
  expect(random.some({ always: [1, () => 'here'], never: [0, () => 'there'] })).toEqual({
    always: 'here',
  });
});

test('picking from an empty list throws', () => {
  expect(() => new Random(1).pick([])).toThrow(RangeError);
});

test('words are separated by spaces, in the order of the lines', () => {
  expect(words('a b', '"" c.d')).toEqual(['a', 'b', '""', 'c.d']);
});

test('phrases are separated by two blanks or lines, and stay as written', () => {
  expect(phrases`
    a b  'c' == "d"
    \d+\u00e9  x
  `).toEqual(['a b', `'c' == "d"`, '\\d+\\u00e9', 'x']);
});
