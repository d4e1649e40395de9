const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
// No 64-bit number has more; checked first, so that a long text costs nothing.
const mostDigits = 20;

/** Why a text is no number: it is none at all, or it does not fit. */
export type NumberProblem = 'invalid syntax' | 'value out of range';

/**
 * Reads a decimal 64-bit integer as Go's `strconv.ParseInt` with base 10: an optional sign and
 * digits, no spaces, no underscores.
 */
export function parseInt64(text: string): bigint | NumberProblem {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return 'invalid syntax';
  }
  if (text.replace(/^[+-]?0*/, '').length > mostDigits) {
    return 'value out of range';
  }
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value < minInt64 || value > maxInt64 ? 'value out of range' : value;
}

/** Reads an unsigned decimal 64-bit integer as Go's `strconv.ParseUint`: digits and nothing else. */
export function parseUint64(text: string): bigint | NumberProblem {
  if (!/^[0-9]+$/.test(text)) {
    return 'invalid syntax';
  }
  if (text.replace(/^0+/, '').length > mostDigits) {
    return 'value out of range';
  }
  const value = BigInt(text);
  return value >= 2n ** 64n ? 'value out of range' : value;
}

const decimalPattern = /^[+-]?[0-9_]*\.?[0-9_]*(?:e[+-]?[0-9][0-9_]*)?$/i;
const hexadecimalPattern = /^([+-]?)0x([0-9a-f_]*)(?:\.([0-9a-f_]*))?p([+-]?[0-9][0-9_]*)$/i;
const infinityPattern = /^[+-]?inf(?:inity)?$/i;

/**
 * Reads a double as Go's `strconv.ParseFloat`: decimal and hexadecimal forms with underscores
 * between digits, `inf`, `infinity` and `nan` in any case. `undefined` when it is not one or when it
 * is too large.
 */
export function parseDouble(text: string): number | undefined {
  if (infinityPattern.test(text)) {
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (/^nan$/i.test(text)) {
    return Number.NaN;
  }
  if (text.includes('_') && !hasProperUnderscores(text)) {
    return undefined;
  }
  const plain = text.replaceAll('_', '');
  const hexadecimal = hexadecimalPattern.exec(plain);
  const value =
    hexadecimal === null
      ? parseDecimal(plain)
      : parseHexadecimal(
          hexadecimal[2] ?? '',
          hexadecimal[3] ?? '',
          Number(hexadecimal[4] ?? '0'),
        ) * (hexadecimal[1] === '-' ? -1 : 1);
  return Number.isFinite(value) ? value : undefined;
}

function parseDecimal(text: string): number {
  if (!decimalPattern.test(text) || !/^[+-]?\.?[0-9]/.test(text)) {
    return Number.NaN;
  }
  return Number(text);
}

/** Whether every underscore is between two digits, or between a base prefix and a digit. */
function hasProperUnderscores(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  const prefixed = /^0[box]/i.test(unsigned);
  const digit = /^0x/i.test(unsigned) ? /[0-9a-f]/i : /[0-9]/;
  const number = prefixed ? `0${unsigned.slice(2)}` : unsigned;
  for (let index = number.indexOf('_'); index !== -1; index = number.indexOf('_', index + 1)) {
    if (!digit.test(number.charAt(index - 1)) || !digit.test(number.charAt(index + 1))) {
      return false;
    }
  }
  return true;
}

function parseHexadecimal(whole: string, fraction: string, power: number): number {
  const digits = whole + fraction;
  if (digits === '') {
    return Number.NaN;
  }
  const mantissa = BigInt(`0x${digits}`);
  if (mantissa === 0n) {
    return 0;
  }
  const bits = mantissa.toString(2).length;
  // The exponent of the highest bit; outside of this range the value is 0 or too large.
  const shift = Math.max(-100000, Math.min(100000, power)) - 4 * fraction.length;
  const highest = bits - 1 + shift;
  if (highest > 1023) {
    return Number.POSITIVE_INFINITY;
  }
  if (highest < -1075) {
    return 0;
  }
  const precision = highest >= -1022 ? 53 : 1075 + highest;
  const dropped = bits - precision;
  if (dropped <= 0) {
    return scale(Number(mantissa), shift);
  }
  const kept = mantissa >> BigInt(dropped);
  const rest = mantissa & ((1n << BigInt(dropped)) - 1n);
  const half = 1n << BigInt(dropped - 1);
  const up = rest > half || (rest === half && kept % 2n === 1n);
  return scale(Number(up ? kept + 1n : kept), shift + dropped);
}

/** Multiplies by a power of two in steps that are exact. */
function scale(value: number, power: number): number {
  let result = value;
  for (let left = power; left !== 0; ) {
    const step = Math.max(-1000, Math.min(1000, left));
    result *= 2 ** step;
    left -= step;
  }
  return result;
}
