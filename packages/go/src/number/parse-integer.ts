/** The least integer of 64 bits. */
export const minInt64: bigint = -(2n ** 63n);
/** The greatest integer of 64 bits. */
export const maxInt64: bigint = 2n ** 63n - 1n;
// No 64-bit number has more; checked first, so that a long text costs nothing.
const mostDigits = 20;

/** The reason why a string is not a number: invalid, or out of range. */
export type NumberProblem = 'invalid syntax' | 'value out of range';

/**
 * Parses a decimal 64-bit integer as Go's `strconv.ParseInt` with base 10: an optional sign and digits, no spaces,
 * no underscores.
 */
export function parseInt64(text: string): bigint | NumberProblem {
  if (!/^[+-]?[0-9]+$/.test(text)) return 'invalid syntax';
  if (text.replace(/^[+-]?0*/, '').length > mostDigits) return 'value out of range';
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value < minInt64 || value > maxInt64 ? 'value out of range' : value;
}

/** Reads an unsigned decimal 64-bit integer as Go's `strconv.ParseUint` with base 10: digits and nothing else. */
export function parseUint64(text: string): bigint | NumberProblem {
  if (!/^[0-9]+$/.test(text)) return 'invalid syntax';
  if (text.replace(/^0+/, '').length > mostDigits) return 'value out of range';
  const value = BigInt(text);
  return value >= 2n ** 64n ? 'value out of range' : value;
}

/** A double as the 64-bit integer that Go's conversion makes of it on amd64: the fraction is dropped. */
export function truncateToInt64(value: number): bigint {
  const whole = Math.trunc(value);
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : minInt64;
}
