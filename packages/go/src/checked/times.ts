import { describeValue, hasMembers, requireOptions, requireText } from '../arguments.ts';
import * as durations from '../time/duration.ts';
import * as writing from '../time/format-time.ts';
import * as reading from '../time/parse-rfc3339.ts';
import type { Time } from '../time/time.ts';

/**
 * Reads an RFC 3339 date and time as Go's `time.Parse(time.RFC3339, …)`, with what that lets pass: a comma before the
 * fraction, an hour of one digit, an offset up to `24:60`. Digits of the fraction beyond nanoseconds are dropped.
 *
 * Gives `undefined` when the text is none; `parseTime` says why.
 *
 * @throws TypeError for what is no string
 */
export function parseRfc3339(text: string): Time | undefined {
  requireText('parseRfc3339', text);
  return reading.parseRfc3339(text);
}

/**
 * Prints a moment in its own offset as Go's layouts `time.RFC3339Nano` (with as many decimals as it needs) and
 * `time.RFC3339` (with none): `2006-01-02T15:04:05.5+07:00`, `Z` for offset zero.
 *
 * @throws TypeError for what is no `Time`, such as a Date, and for options that there are not
 */
export function formatRfc3339(time: Time, options: writing.Rfc3339Options = {}): string {
  requireTime('formatRfc3339', time);
  requireOptions('formatRfc3339', options, { decimals: 'number' });
  return writing.formatRfc3339(time, options);
}

/**
 * Prints a moment as Go's `Time.String`: `2006-01-02 15:04:05.5 +0700 +0700`.
 *
 * @throws TypeError for what is no `Time`, such as a Date
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
 * Reads a duration as Go's `time.ParseDuration`: an optional sign and decimal numbers with units (`1h30m`, `-1.5s`),
 * or `0`. Gives nanoseconds, which fit into 64 bits.
 *
 * @throws TypeError for what is no string
 */
export function parseDuration(text: string): bigint | durations.DurationError {
  requireText('parseDuration', text);
  return durations.parseDuration(text);
}

/**
 * Prints a duration as Go's `Duration.String`: `25h30m0s`, `1.5ms`, `0s`.
 *
 * @throws TypeError for what is no bigint
 */
export function formatDuration(nanoseconds: bigint): string {
  if (typeof nanoseconds !== 'bigint') {
    const given = describeValue(nanoseconds);
    throw new TypeError(`formatDuration takes nanoseconds as a bigint, not ${given}`);
  }
  return durations.formatDuration(nanoseconds);
}
