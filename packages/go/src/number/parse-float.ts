import type { NumberProblem } from './parse-integer.ts';

const plain = /^[+-]?[0-9]{1,15}$/;
const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;
const hexadecimal = /^([+-]?)0x(?=\.?[0-9a-f])([0-9a-f]*)(?:\.([0-9a-f]*))?p([+-]?[0-9]+)$/i;
const infinity = /^[+-]?inf(?:inity)?$/i;

/**
 * Parses a double as Go's `strconv.ParseFloat` with 64 bits: decimal and hexadecimal forms with underscores between
 * digits, `inf`, `infinity` and `nan` in any case.
 */
export function parseFloat64(text: string): number | NumberProblem {
  if (plain.test(text)) return Number(text);
  if (infinity.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (text.includes('_') && !hasProperUnderscores(text)) return 'invalid syntax';
  const digits = text.replaceAll('_', '');
  const value = decimal.test(digits) ? Number(digits) : parseHexadecimal(digits);
  if (value === undefined) return 'invalid syntax';
  return Number.isFinite(value) ? value : 'value out of range';
}

/** Whether every underscore is between two digits, or between a base prefix and a digit. */
function hasProperUnderscores(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  const isPrefixed = /^0[box]/i.test(unsigned);
  const digit = /^0x/i.test(unsigned) ? /[0-9a-f]/i : /[0-9]/;
  const number = isPrefixed ? `0${unsigned.slice(2)}` : unsigned;
  for (let index = number.indexOf('_'); index !== -1; index = number.indexOf('_', index + 1)) {
    if (!digit.test(number.charAt(index - 1)) || !digit.test(number.charAt(index + 1))) {
      return false;
    }
  }
  return true;
}

function parseHexadecimal(text: string): number | undefined {
  const [, sign, whole = '', fraction = '', power] = hexadecimal.exec(text) ?? [];
  if (power === undefined) return undefined;
  const value = roundToDouble(BigInt(`0x${whole}${fraction}`), Number(power) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

/** The double that is nearest to `mantissa × 2^power`, half to even; infinite when it is too large. */
function roundToDouble(mantissa: bigint, power: number): number {
  if (mantissa === 0n) return 0;
  const bits = mantissa.toString(2).length;
  const highest = bits - 1 + power;
  if (highest > 1023) return Infinity;
  if (highest < -1075) return 0;
  const precision = highest >= -1022 ? 53 : 1075 + highest;
  const dropped = bits - precision;
  if (dropped <= 0) return scale(Number(mantissa), power);
  const kept = mantissa >> BigInt(dropped);
  const rest = mantissa & ((1n << BigInt(dropped)) - 1n);
  const half = 1n << BigInt(dropped - 1);
  const isUp = rest > half || (rest === half && kept % 2n === 1n);
  return scale(Number(isUp ? kept + 1n : kept), power + dropped);
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
