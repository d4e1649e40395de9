import { quoteBytes } from './quote.ts';

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

/** The largest count of nanoseconds that a duration can have. */
const limit: bigint = 2n ** 63n;

/** A duration that was read, or Go's text of what is wrong. */
export type DurationReading = { readonly nanoseconds: bigint } | { readonly error: string };

/** Whether a text can be a duration at all; a cheap test before `readDuration`. */
export function looksLikeDuration(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return (
    last === 115 || last === 109 || last === 104 || text === '0' || text === '+0' || text === '-0'
  );
}

/** The nanoseconds of a text such as `1h30m` (Go's `time.ParseDuration`), or undefined. */
export function parseDuration(text: string): bigint | undefined {
  if (!looksLikeDuration(text)) return undefined;
  const reading = readDuration(text);
  return 'error' in reading ? undefined : reading.nanoseconds;
}

/** Reads a text such as `1h30m` with Go's error texts (`time.ParseDuration`). */
export function readDuration(text: string): DurationReading {
  const invalid = { error: `time: invalid duration ${quoteBytes(text)}` };
  let rest = text;
  const negative = rest.startsWith('-');
  if (negative || rest.startsWith('+')) rest = rest.slice(1);
  if (rest === '0') return { nanoseconds: 0n };
  if (rest === '') return invalid;
  let total = 0n;
  while (rest !== '') {
    const match = /^(\d*)(?:\.(\d*))?/.exec(rest);
    const whole = match?.[1] ?? '';
    const fraction = match?.[2] ?? '';
    if (whole === '' && fraction === '') return invalid;
    if (BigInt(whole || 0) > limit) return invalid;
    rest = rest.slice(match?.[0].length);
    const unitText = /^[^.\d]*/.exec(rest)?.[0] ?? '';
    if (unitText === '') return { error: `time: missing unit in duration ${quoteBytes(text)}` };
    rest = rest.slice(unitText.length);
    const unit = unitNanoseconds.get(unitText);
    if (unit === undefined) {
      return {
        error: `time: unknown unit ${quoteBytes(unitText)} in duration ${quoteBytes(text)}`,
      };
    }
    const value = BigInt(whole || 0) * unit + fractionOf(fraction, unit);
    total += value;
    if (value > limit || total > limit) return invalid;
  }
  if (negative) return { nanoseconds: -total };
  return total >= limit ? invalid : { nanoseconds: total };
}

/** Digits beyond what 63 bits hold are dropped, and the product is taken in doubles, as Go does. */
function fractionOf(digits: string, unit: bigint): bigint {
  if (digits === '') return 0n;
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (limit - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

/** A duration as Go writes it: `25h30m0s`, `1.5ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const amount = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (amount < 1_000n) return `${sign}${amount}ns`;
  if (amount < 1_000_000n) return `${sign}${decimal(amount, 3)}µs`;
  if (amount < 1_000_000_000n) return `${sign}${decimal(amount, 6)}ms`;
  const minutes = amount / 60_000_000_000n;
  const seconds = `${decimal(amount % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  if (minutes < 60n) return `${sign}${minutes}m${seconds}`;
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function decimal(amount: bigint, places: number): string {
  const digits = String(amount).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The seconds of a duration as a double, whole seconds and the rest added as Go adds them. */
export function toSeconds(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9;
}

/** A count of nanoseconds brought into 64 bits, wrapping around as Go's arithmetic does. */
export function wrapDuration(nanoseconds: bigint): bigint {
  return BigInt.asIntN(64, nanoseconds);
}
