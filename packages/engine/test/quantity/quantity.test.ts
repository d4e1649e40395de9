import { expect, test } from 'vitest';
import { parseQuantity } from '../../src/quantity/parse.ts';
import { printQuantity } from '../../src/quantity/print.ts';
import {
  addQuantities,
  approximateQuantity,
  compareQuantities,
  integerOfQuantity,
  type Quantity,
  subtractQuantities,
} from '../../src/quantity/quantity.ts';
import cases from '../cases/quantities.json' with { type: 'json' };

function quantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if ('error' in parsed) {
    throw new Error(parsed.error);
  }
  return parsed;
}

test.each(cases.printed as [string, string][])('%s prints as %s', (text, printed) => {
  expect(printQuantity(quantity(text))).toBe(printed);
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
    expect(printQuantity(addQuantities(a, b) ?? a)).toBe(sum);
    expect(printQuantity(subtractQuantities(a, b) ?? a)).toBe(difference);
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
