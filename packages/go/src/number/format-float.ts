import {
  type Decimal,
  roundedDecimal,
  scaleByPowerOfTen,
  shortestDecimal,
  signOf,
} from './decimal.ts';

/**
 * Formats a double as Go's `%v` (`strconv.FormatFloat` with `'g'` and -1): the fewest digits that parse to the same
 * value, with an exponent below 1e-4 and from 1e6 on (`100000`, `1e+06`, `1e-05`).
 */
export function formatFloat64(value: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  return general(shortestDecimal(value));
}

/** Prints a double with the fewest digits and never an exponent (`strconv.FormatFloat` with `'f'` and -1). */
export function formatFloat64Plain(value: number): string {
  return Number.isFinite(value) ? plain(shortestDecimal(value)) : specialText(value);
}

/**
 * Prints a double with an exponent: with the fewest digits, or with so many decimals, the exact value rounded half
 * to even (`strconv.FormatFloat` with `'e'`).
 */
export function formatFloat64Scientific(value: number, decimals?: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  return scientific(
    decimals === undefined ? shortestDecimal(value) : roundedDecimal(value, decimals),
  );
}

// 1074 binary places need as many decimal ones; all further digits are zeros.
const longestFraction = 1074;

/**
 * Prints a double with so many decimals, as Go's `%.6f` (`strconv.FormatFloat` with `'f'`): the exact value rounded
 * half to even.
 */
export function formatFloat64Fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return specialText(value);
  const exact = Math.min(decimals, longestFraction);
  const digits = scaleByPowerOfTen(Math.abs(value), exact)
    .toString()
    .padStart(exact + 1, '0');
  const whole = signOf(value) + digits.slice(0, digits.length - exact);
  if (decimals === 0) return whole;
  return `${whole}.${digits.slice(digits.length - exact).padEnd(decimals, '0')}`;
}

/** Prints the nearest 32-bit float with the fewest digits that read back as it, and never an exponent. */
export function formatFloat32Plain(value: number): string {
  const single = Math.fround(value);
  return Number.isFinite(single) ? plain(shortestSingle(single)) : specialText(single);
}

/** As {@link formatFloat64}, of the nearest 32-bit float (`strconv.FormatFloat` with `'g'`, -1 and 32). */
export function formatFloat32(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return specialText(single);
  return general(shortestSingle(single));
}

function shortestSingle(single: number): Decimal {
  // Nine digits distinguish all 32-bit floats.
  for (let decimals = 0; decimals < 8; decimals++) {
    const decimal = roundedDecimal(single, decimals);
    const shortened = Number(`${decimal.sign}${decimal.digits}e${decimal.exponent - decimals}`);
    if (Math.fround(shortened) === single) {
      return { ...shortestDecimal(shortened), sign: decimal.sign };
    }
  }
  return roundedDecimal(single, 8);
}

function specialText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function general(decimal: Decimal): string {
  return decimal.exponent >= -4 && decimal.exponent < 6 ? plain(decimal) : scientific(decimal);
}

function plain({ sign, digits, exponent }: Decimal): string {
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = exponent + 1;
  if (digits.length <= whole) return sign + digits.padEnd(whole, '0');
  return `${sign}${digits.slice(0, whole)}.${digits.slice(whole)}`;
}

function scientific({ sign, digits, exponent }: Decimal): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const magnitude = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${magnitude}`;
}
