import { words } from '@kubeadmit/random';
import type { Draw } from './draw.ts';

function number(draw: Draw): string {
  const sign = draw.pick(['', '', '-', '+']);
  const hexadecimal = draw.many(draw.pick([3, 20]), () => draw.pick([...'0123456789abcdefABCDEF']));
  return draw.mutate(
    draw.pick([
      () => sign + draw.digits(draw.pick([1, 5, 20])),
      () => `${sign + draw.digits(draw.pick([1, 5, 20]))}.${draw.digits(draw.pick([2, 18]))}`,
      () =>
        `${sign + draw.digits(5)}.${draw.digits(3)}e${draw.pick(['', '-', '+'])}${draw.digits(3)}`,
      () =>
        `${sign}0x${hexadecimal}.${draw.digits(3)}p${draw.pick(['', '-', '+'])}${draw.digits(4)}`,
      () =>
        draw.pick(
          words(
            'inf Infinity -inf +INF nan +nan NaN 1_000.5 0x_1p1 0b1 1_e5',
            '9223372036854775807 -9223372036854775808 9223372036854775808',
            '18446744073709551615 18446744073709551616',
          ),
        ),
    ])(),
  );
}

/** Conversions between numbers and strings. */
export function numbersFamily(draw: Draw): string {
  const text = draw.value(number(draw));
  const double = `double(${text})`;
  return draw.pick([
    `int(${text})`,
    `uint(${text})`,
    `string(${double})`,
    `string(${double})`,
    `int(${double})`,
    `uint(${double})`,
    `string(int(${text}))`,
    `double(int(${text}))`,
    `${double} < ${draw.value(draw.below(100))}`,
    `dyn(${double}) == int(${draw.value(number(draw))})`,
    `dyn(uint(${text})) <= int(${draw.value(number(draw))})`,
  ]);
}
