import { civilSeconds, daysInMonth } from './civil-time.ts';
import type { Time } from './time.ts';

const pattern =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]+))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))$/;

/**
 * Parses an RFC 3339 date and time as Go's `time.Parse(time.RFC3339, …)`, which also accepts a comma before the
 * fraction, an hour of one digit, and an offset up to `24:60`. Digits of the fraction beyond nanoseconds are
 * dropped.
 *
 * Returns `undefined` for an invalid string; `parseTime` returns the reason.
 */
export function parseRfc3339(text: string): Time | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(Number);
  const offset = parseOffset(match[8], match[9], match[10]);
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!isDate || hour > 23 || minute > 59 || second > 59 || offset === undefined) return undefined;
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
  if (sign === undefined) return 0;
  const hour = Number(hours);
  const minute = Number(minutes);
  if (hour > 24 || minute > 60) return undefined;
  const offset = hour * 3600 + minute * 60;
  return sign === '-' && offset !== 0 ? -offset : offset;
}
