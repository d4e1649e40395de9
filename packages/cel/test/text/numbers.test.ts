import { describe, expect, test } from 'vitest';
import { doubleText, fixedDoubleText, plainDoubleText } from '../../src/text/double-text.ts';
import { parseDouble, parseInt64, parseUint64 } from '../../src/text/parse-number.ts';
import cases from '../cases/text/numbers.json' with { type: 'json' };

type Pair<Input> = [Input, string];

describe('doubleText', () => {
  test.each(cases.doubles as Pair<number>[])('%d is %s', (value, text) => {
    expect(doubleText(value)).toBe(text);
  });
  test('has names for what is no number and a sign for zero', () => {
    const values = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0];
    expect(values.map(doubleText)).toEqual(['NaN', '+Inf', '-Inf', '-0']);
  });
});

test.each(cases.plain as Pair<number>[])('plainDoubleText of %d is %s', (value, text) => {
  expect(plainDoubleText(value)).toBe(text);
});

test.each(cases.fixed as [number, number, string][])(
  'fixedDoubleText of %d with %d decimals is %s',
  (value, decimals, text) => {
    expect(fixedDoubleText(value, decimals)).toBe(text);
  },
);

test('fixedDoubleText takes no time for digits that are zeros', () => {
  expect(fixedDoubleText(0.1, 1_000_000)).toHaveLength(1_000_002);
});

test.each(cases.parsed as [string, number | null][])('parseDouble of %s is %s', (text, value) => {
  expect(parseDouble(text)).toBe(value ?? undefined);
});

test.each(cases.integers as Pair<string>[])('parseInt64 of %s is %s', (text, value) => {
  expect(String(parseInt64(text))).toBe(value);
});

test.each(cases.unsigned as Pair<string>[])('parseUint64 of %s is %s', (text, value) => {
  expect(String(parseUint64(text))).toBe(value);
});
