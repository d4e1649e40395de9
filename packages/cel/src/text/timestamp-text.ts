import { civilSeconds, civilTime, daysInMonth } from '@kubeadmit/go/internal';

/** A point in time as a text gives it: seconds since 1970, nanoseconds, and the offset in seconds. */
export interface Instant {
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly offset: number;
}

/** The first second of year 1, the earliest that CEL allows. */
export const minTimestampSeconds: number = -62135596800;
/** The last second of year 9999, the latest that CEL allows. */
export const maxTimestampSeconds: number = 253402300799;

const pattern =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

/**
 * Reads an RFC 3339 date and time as Go's `time.Parse(time.RFC3339, …)`, leniencies included: a
 * comma before the fraction, an hour of one digit, an offset up to `24:60`. Digits of the fraction
 * beyond nanoseconds are dropped. Gives `undefined` when the text is none; any year of four digits
 * is read, also those that CEL does not allow.
 */
export function parseTimestamp(text: string): Instant | undefined {
  const match = pattern.exec(text);
  if (match === null) {
    return undefined;
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  if (
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > daysInMonth(year, month) ||
    hour > 23 ||
    minute > 59 ||
    second > 59
  ) {
    return undefined;
  }
  const offset = parseOffset(match[8], match[9], match[10]);
  if (offset === undefined) {
    return undefined;
  }
  return {
    seconds: civilSeconds({ year, month, day, hour, minute, second }) - offset,
    nanoseconds: Number((match[7] ?? '').slice(0, 9).padEnd(9, '0')),
    offset,
  };
}

function parseOffset(
  sign: string | undefined,
  hours: string | undefined,
  minutes: string | undefined,
): number | undefined {
  if (sign === undefined) {
    return 0;
  }
  const hour = Number(hours);
  const minute = Number(minutes);
  if (hour > 24 || minute > 60) {
    return undefined;
  }
  const offset = hour * 3600 + minute * 60;
  return sign === '-' && offset !== 0 ? -offset : offset;
}

/**
 * Prints an instant as Go's `time.RFC3339Nano`: in its own offset, with as many decimals as it needs,
 * `Z` for offset zero.
 */
export function timestampText(instant: Instant): string {
  const time = civilTime(instant.seconds + instant.offset);
  const date = `${yearText(time.year)}-${two(time.month)}-${two(time.day)}`;
  const clock = `${two(time.hour)}:${two(time.minute)}:${two(time.second)}`;
  const fraction = String(instant.nanoseconds).padStart(9, '0').replace(/0+$/, '');
  return `${date}T${clock}${fraction === '' ? '' : `.${fraction}`}${offsetText(instant.offset)}`;
}

function yearText(year: number): string {
  return year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');
}

function offsetText(offset: number): string {
  if (offset === 0) {
    return 'Z';
  }
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
