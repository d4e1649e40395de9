import { describe, expect, test } from 'vitest';
import {
  formatFloat32Plain,
  formatFloat64,
  formatFloat64Fixed,
  formatFloat64Plain,
  formatFloat64Scientific,
} from '../../src/number/format-float.ts';
import { parseFloat64 } from '../../src/number/parse-float.ts';
import { parseInt64, parseUint64, truncateToInt64 } from '../../src/number/parse-integer.ts';
import cases from '../cases/numbers.json' with { type: 'json' };

/** Doubles are given by their bits, so that none is rounded on the way. */
function doubleOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

describe('a double is printed', () => {
  test.each(cases.floats as string[][])('%s as %s', (bits, ...answers) => {
    const value = doubleOf(bits ?? '');
    expect([
      formatFloat64(value),
      formatFloat64Plain(value),
      formatFloat64Fixed(value, 6),
      formatFloat64Fixed(value, 2),
      formatFloat64Scientific(value),
      formatFloat64Scientific(value, 6),
      formatFloat64Scientific(value, 0),
      formatFloat32Plain(value),
      String(truncateToInt64(value)),
    ]).toEqual(answers);
  });

  test('without time for digits that are zeros', () => {
    expect(formatFloat64Fixed(0.1, 1_000_000)).toHaveLength(1_000_002);
  });
});

test.each(cases.parsed as [string, string][])('%j is the double %s', (text, answer) => {
  const value = parseFloat64(text);
  expect(value).toEqual(/^[0-9a-f]{16}$/.test(answer) ? doubleOf(answer) : answer);
});

test.each(cases.integers as [string, string, string][])(
  '%j is the integer %s, unsigned %s',
  (text, signed, unsigned) => {
    expect(String(parseInt64(text))).toBe(signed);
    expect(String(parseUint64(text))).toBe(unsigned);
  },
);

test.each([
  ['digits', '1'.repeat(200_000)],
  ['digits and a point', `${'1'.repeat(200_000)}.`],
  ['digits of a fraction', `.${'1'.repeat(200_000)}`],
])('a double that ends with another character after %s is refused in short time', (_name, text) => {
  const start = performance.now();
  expect(parseFloat64(`${text}x`)).toBe('invalid syntax');
  expect(performance.now() - start).toBeLessThan(2000);
});
