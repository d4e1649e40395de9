import { formatFloat64Plain } from '@kubeadmit/go';

const nanosecondsOf: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const limit = 2n ** 63n;
const maxInt64 = limit - 1n;
// No 64-bit integer has more; checked first, so that a long text costs nothing.
const mostDigits = 19;
const component = /([0-9]*)(?:(\.)([0-9]*))?([^0-9.]*)/y;

/**
 * Reads a duration as Go's `time.ParseDuration`: an optional sign and decimal numbers with units
 * (`1h30m`, `-1.5s`), or `0`. Gives nanoseconds, or `undefined` when the text is no duration or does
 * not fit into 64 bits.
 */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const unsigned = negative || text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') {
    return 0n;
  }
  if (unsigned === '') {
    return undefined;
  }
  let total = 0n;
  component.lastIndex = 0;
  while (component.lastIndex < unsigned.length) {
    const match = component.exec(unsigned);
    const unit = nanosecondsOf.get(match?.[4] ?? '');
    if (match === null || unit === undefined) {
      return undefined;
    }
    const whole = match[1] ?? '';
    const fraction = match[3] ?? '';
    if ((whole === '' && fraction === '') || whole.replace(/^0+/, '').length > mostDigits) {
      return undefined;
    }
    const value = scaled(whole, fraction, unit);
    if (value > limit || total + value > limit) {
      return undefined;
    }
    total += value;
  }
  if (negative) {
    return -total;
  }
  return total > maxInt64 ? undefined : total;
}

function scaled(whole: string, fraction: string, unit: bigint): bigint {
  const value = BigInt(whole === '' ? '0' : whole) * unit;
  if (fraction === '') {
    return value;
  }
  // As Go: as many digits of the fraction as fit into 63 bits, multiplied as doubles.
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    const next = digits * 10n + BigInt(digit);
    if (digits > maxInt64 / 10n || next > limit) {
      break;
    }
    digits = next;
    scale *= 10;
  }
  return digits === 0n
    ? value
    : value + BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}

/** Prints a duration as CEL's `string()`: seconds as a plain decimal number and `s`. */
export function durationText(nanoseconds: bigint): string {
  return `${formatFloat64Plain(durationSeconds(nanoseconds))}s`;
}

/** The seconds of a duration as a double, computed as Go's `Duration.Seconds`. */
function durationSeconds(nanoseconds: bigint): number {
  const second = 1_000_000_000n;
  return Number(nanoseconds / second) + Number(nanoseconds % second) / 1e9;
}
