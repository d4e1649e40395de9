import { type CivilTime, civilTime } from './civil-time.ts';
import type { Time } from './time.ts';

/** How a moment is printed. */
export interface Rfc3339Options {
  /** How many decimals the seconds have, the rest cut off; as many as are needed when it is not given. */
  readonly decimals?: number;
}

/**
 * Formats a time in its own offset as Go's layouts `time.RFC3339Nano` (as many decimals as necessary) and
 * `time.RFC3339` (none): `2006-01-02T15:04:05.5+07:00`, `Z` for offset zero.
 */
export function formatRfc3339(time: Time, options: Rfc3339Options = {}): string {
  const civil = civilTime(time.seconds + time.offset);
  const fraction = fractionOf(time.nanoseconds, options.decimals);
  return `${dateOf(civil)}T${clockOf(civil)}${fraction}${offsetOf(time.offset, ':')}`;
}

/** Formats a time as Go's `Time.String`: `2006-01-02 15:04:05.5 +0700 +0700`. */
export function formatTime(time: Time): string {
  const civil = civilTime(time.seconds + time.offset);
  const zone = time.offset === 0 ? '+0000' : offsetOf(time.offset, '');
  const name = time.offset === 0 ? 'UTC' : zone;
  return `${dateOf(civil)} ${clockOf(civil)}${fractionOf(time.nanoseconds)} ${zone} ${name}`;
}

function dateOf({ year, month, day }: CivilTime): string {
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

function clockOf({ hour, minute, second }: CivilTime): string {
  return `${two(hour)}:${two(minute)}:${two(second)}`;
}

function fractionOf(nanoseconds: number, decimals?: number): string {
  const digits = String(nanoseconds).padStart(9, '0');
  const shown = decimals === undefined ? digits.replace(/0+$/, '') : digits.slice(0, decimals);
  return shown === '' ? '' : `.${shown}`;
}

function offsetOf(offset: number, separator: string): string {
  if (offset === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}${separator}${two(minutes % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** The period after which the Gregorian calendar repeats. */
const cycle = { seconds: 12_622_780_800n, years: 400n };
/** The first second of the first year that Go's calendar knows; seconds before it are those of its last ones. */
const firstSecond = -9_223_371_966_579_724_800n;

/** Prints seconds since 1970, of which there may be as many as 64 bits hold, as RFC 3339 in UTC. */
export function formatSeconds(given: bigint): string {
  const seconds = given < firstSecond ? given + 2n ** 64n : given;
  const inCycle = ((seconds % cycle.seconds) + cycle.seconds) % cycle.seconds;
  const text = formatRfc3339({ seconds: Number(inCycle), nanoseconds: 0, offset: 0 });
  const year = BigInt(text.slice(0, 4)) + ((seconds - inCycle) / cycle.seconds) * cycle.years;
  const digits = String(year < 0n ? -year : year).padStart(4, '0');
  return `${year < 0n ? '-' : ''}${digits}${text.slice(4)}`;
}
