import { expect, test } from 'vitest';
import {
  addQuantities,
  approximateQuantity,
  compareQuantities,
  formatQuantity,
  integerOfQuantity,
  parseQuantity,
  type Quantity,
  roundUpQuantity,
  subtractQuantities,
} from '../../src/quantity.ts';
import cases from './quantities.json' with { type: 'json' };

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('error' in parsed) throw new Error(parsed.error);
  return parsed;
}

test.each(cases.printed as [string, string][])('%s prints as %s', (text, printed) => {
  expect(formatQuantity(quantity(text))).toBe(printed);
});

test.each(cases.errors as [string, string][])('%j is refused', (text, error) => {
  expect(parseQuantity(text)).toEqual({ error });
});

test.each(cases.integers as [string, string | null][])('%s as an integer is %s', (text, value) => {
  const integer = integerOfQuantity(quantity(text));
  expect(integer === undefined ? null : String(integer)).toBe(value);
});

test.each(cases.doubles as [string, number][])('%s is about %d', (text, value) => {
  expect(approximateQuantity(quantity(text))).toBe(value);
});

test.each(cases.sums as [string, string, string, string][])(
  '%s and %s add to %s and differ by %s',
  (left, right, sum, difference) => {
    const [a, b] = [quantity(left), quantity(right)];
    expect(formatQuantity(addQuantities(a, b) ?? a)).toBe(sum);
    expect(formatQuantity(subtractQuantities(a, b) ?? a)).toBe(difference);
  },
);

test('numbers of any size are compared by their value', () => {
  const texts = [
    '-1e2000000000',
    '-1k',
    '-1',
    '-1n',
    '0',
    '1n',
    '1',
    '1000m',
    '1k',
    '1Ki',
    '1e999999999',
  ];
  const orders = texts.map((left) =>
    texts.map((right) => compareQuantities(quantity(left), quantity(right))),
  );
  for (const [row, line] of orders.entries()) {
    for (const [column, order] of line.entries()) {
      const isSame =
        texts[row] === texts[column] || [row, column].every((at) => at === 6 || at === 7);
      expect(order).toBe(isSame ? 0 : Math.sign(row - column));
    }
  }
});

test('a sum that would have too many digits is not written out', () => {
  expect(addQuantities(quantity('1e2000000000'), quantity('1'))).toBeUndefined();
});

test.each([
  ['1e2000000000', '100e1999999998'],
  ['1e-2000000000', '1e-9'],
  ['-12e-2000000000', '-1e-9'],
  [`1${'0'.repeat(100_000)}e5`, '1e100005'],
  [`0.${'0'.repeat(100_000)}1`, '1n'],
  [`${'9'.repeat(100_000)}Ki`, '9223372036854775807'],
  [`${'1'.repeat(100_000)}`, '1'.repeat(100_000)],
])('%.20s is read and written soon', (text, expected) => {
  expect(formatQuantity(quantity(text))).toBe(expected);
});

test.each([
  ['1500u', -3, '2m'],
  ['-1500u', -3, '-2m'],
  ['1n', -3, '1m'],
  ['0.0001n', -9, '1n'],
  ['1500m', -3, '1500m'],
  ['1.5', 0, '2'],
  ['2000m', 0, '2'],
  ['1', -3, '1'],
])('%s rounded up to 10^%d is %s', (text, exponent, expected) => {
  expect(formatQuantity(roundUpQuantity(quantity(text), exponent))).toBe(expected);
});

test.each([
  ['zeros that no number ends', `${'0'.repeat(200_000)}x`, false],
  ['digits that no number ends', `${'1'.repeat(200_000)}x`, false],
  ['a fraction that no number ends', `1.${'0'.repeat(200_000)}x`, false],
  ['a long number with zeros within', `1${'0'.repeat(200_000)}1`, true],
])('reads %s in time that grows with its length', (_name, text, isQuantity) => {
  const start = performance.now();
  const parsed = parseQuantity(text);
  expect('error' in parsed).toBe(!isQuantity);
  if (!('error' in parsed)) formatQuantity(parsed);
  expect(performance.now() - start).toBeLessThan(2000);
});
