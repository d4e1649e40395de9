import { expect, test } from 'vitest';
import { formatComposite, formatType, formatValue } from '../../src/index.ts';

// The results of `fmt.Sprintf` for the same data.

test.each([
  ['a b', 'a b'],
  [null, '<nil>'],
  [true, 'true'],
  [1_000_000, '1e+06'],
  [123456n, '123456'],
  [['a', null, 1.5], '[a <nil> 1.5]'],
  [
    { b: [1], a: { '': 'x' }, '\u{1f600}': 1, '\uffff': 2 },
    'map[a:map[:x] b:[1] \uffff:2 \u{1f600}:1]',
  ],
  [Object.assign(Object.create(null), { constructor: 'c' }), 'map[constructor:c]'],
  [new Date(0), '1970-01-01T00:00:00.000Z'],
])('%%v of %o is %s', (value, text) => {
  expect(formatValue(value)).toBe(text);
});

test('values in lists and objects are printed with another verb', () => {
  const print = (value: unknown): string =>
    typeof value === 'string' ? value : `%!s(${formatType(value)}=${formatValue(value)})`;
  expect(formatComposite({ b: [1e21, 'x'], a: false }, print)).toBe(
    'map[a:%!s(bool=false) b:[%!s(float64=1e+21) x]]',
  );
});
