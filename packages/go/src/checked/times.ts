import { describeValue, hasMembers, requireOptions, requireText } from '../arguments.ts';
import * as durations from '../time/duration.ts';
import * as writing from '../time/format-time.ts';
import * as reading from '../time/parse-rfc3339.ts';
import type { Time } from '../time/time.ts';

/**
 * Parses an RFC 3339 date and time as Go's `time.Parse(time.RFC3339, …)`, which also accepts a comma before the
 * fraction, an hour of one digit, and an offset up to `24:60`. Digits of the fraction beyond nanoseconds are
 * dropped.
 *
 * Returns `undefined` for an invalid string; `parseTime` returns the reason.
 *
 * @throws TypeError if `text` is not a string
 */
export function parseRfc3339(text: string): Time | undefined {
  requireText('parseRfc3339', text);
  return reading.parseRfc3339(text);
}

/**
 * Formats a time in its own offset as Go's layouts `time.RFC3339Nano` (as many decimals as necessary) and
 * `time.RFC3339` (none): `2006-01-02T15:04:05.5+07:00`, `Z` for offset zero.
 *
 * @throws TypeError if `time` is not a `Time`, such as a Date, or an option is unknown
 */
export function formatRfc3339(time: Time, options: writing.Rfc3339Options = {}): string {
  requireTime('formatRfc3339', time);
  requireOptions('formatRfc3339', options, { decimals: 'number' });
  return writing.formatRfc3339(time, options);
}

/**
 * Formats a time as Go's `Time.String`: `2006-01-02 15:04:05.5 +0700 +0700`.
 *
 * @throws TypeError if `time` is not a `Time`, such as a Date
 */
export function formatTime(time: Time): string {
  requireTime('formatTime', time);
  return writing.formatTime(time);
}

function requireTime(call: string, time: unknown): void {
  const members = hasMembers(time) ? [time['seconds'], time['nanoseconds'], time['offset']] : [];
  if (members.length > 0 && members.every(Number.isSafeInteger)) return;
  throw new TypeError(
    `${call} takes a time with \`seconds\`, \`nanoseconds\` and \`offset\`, not ${describeValue(time)}`,
  );
}

/**
 * Parses a duration as Go's `time.ParseDuration`: an optional sign and decimal numbers with units (`1h30m`,
 * `-1.5s`), or `0`. Returns nanoseconds, which fit into 64 bits.
 *
 * @throws TypeError if `text` is not a string
 */
export function parseDuration(text: string): bigint | durations.DurationError {
  requireText('parseDuration', text);
  return durations.parseDuration(text);
}

/**
 * Formats a duration as Go's `Duration.String`: `25h30m0s`, `1.5ms`, `0s`.
 *
 * @throws TypeError if `nanoseconds` is not a bigint
 */
export function formatDuration(nanoseconds: bigint): string {
  if (typeof nanoseconds !== 'bigint') {
    const given = describeValue(nanoseconds);
    throw new TypeError(`formatDuration takes nanoseconds as a bigint, not ${given}`);
  }
  return durations.formatDuration(nanoseconds);
}
