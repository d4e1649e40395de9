import { quoteText } from './quote-text.ts';

const unitNanoseconds: ReadonlyMap<string, bigint> = new Map([
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
// No 64-bit integer has more; checked first, so that a long text costs nothing.
const mostDigits = 19;
const component = /([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/y;

/** The reason why a string is not a duration, with Go's message: `time: missing unit in duration "1"`. */
export interface DurationError {
  readonly error: string;
}

/**
 * Parses a duration as Go's `time.ParseDuration`: an optional sign and decimal numbers with units (`1h30m`,
 * `-1.5s`), or `0`. Returns nanoseconds, which fit into 64 bits.
 */
export function parseDuration(text: string): bigint | DurationError {
  const isNegative = text.startsWith('-');
  const start = isNegative || text.startsWith('+') ? 1 : 0;
  if (text.length === start) return invalid(text);
  if (text.length === start + 1 && text.endsWith('0')) return 0n;
  let total = 0n;
  component.lastIndex = start;
  while (component.lastIndex < text.length) {
    const [, whole = '', fraction = '', name = ''] = component.exec(text) ?? [];
    const digits = whole.replace(/^0+/, '');
    if (whole + fraction === '' || digits.length > mostDigits || BigInt(digits) > limit) {
      return invalid(text);
    }
    const unit = unitNanoseconds.get(name);
    if (unit === undefined) return unitError(name, text);
    const value = BigInt(digits) * unit + fractionOf(fraction, unit);
    total += value;
    if (value > limit || total > limit) return invalid(text);
  }
  if (isNegative) return -total;
  return total === limit ? invalid(text) : total;
}

function invalid(text: string): DurationError {
  return { error: `time: invalid duration ${quoteText(text)}` };
}

function unitError(name: string, text: string): DurationError {
  const problem = name === '' ? 'missing unit' : `unknown unit ${quoteText(name)}`;
  return { error: `time: ${problem} in duration ${quoteText(text)}` };
}

/** As many digits of the fraction as fit into 63 bits, multiplied as doubles, as Go does. */
function fractionOf(fraction: string, unit: bigint): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    const next = digits * 10n + BigInt(digit);
    if (digits > (limit - 1n) / 10n || next > limit) break;
    digits = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / scale)));
}

/** Formats a duration as Go's `Duration.String`: `25h30m0s`, `1.5ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (amount < 1_000n) return `${sign}${amount}ns`;
  if (amount < 1_000_000n) return `${sign}${decimal(amount, 3)}µs`;
  if (amount < 1_000_000_000n) return `${sign}${decimal(amount, 6)}ms`;
  const minutes = amount / 60_000_000_000n;
  const seconds = `${decimal(amount % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(amount: bigint, places: number): string {
  const digits = String(amount).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * A duration in a unit of so many nanoseconds as a double: whole units and the rest added as Go's `Duration.Seconds`,
 * `Minutes` and `Hours` add them, so that almost a whole unit can become one.
 */
export function durationIn(nanoseconds: bigint, unit: bigint): number {
  return Number(nanoseconds / unit) + Number(nanoseconds % unit) / Number(unit);
}

/** The seconds of a duration as a double (`Duration.Seconds`). */
export function durationSeconds(nanoseconds: bigint): number {
  return durationIn(nanoseconds, 1_000_000_000n);
}
