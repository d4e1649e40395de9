import { civilSeconds, civilTime, dayOfWeek, dayOfYear } from '@kubeadmit/go/internal';
import { expect, test } from 'vitest';
import { durationText, parseDuration } from '../../src/text/duration-text.ts';
import { goDurationText, goTimeText } from '../../src/text/go-time-text.ts';
import { findZone } from '../../src/text/time-zone.ts';
import { parseTimestamp, timestampText } from '../../src/text/timestamp-text.ts';
import cases from '../cases/text/times.json' with { type: 'json' };

test.each(cases.durations as [string, string | null][])('duration %s is %s', (text, printed) => {
  const nanoseconds = parseDuration(text);
  expect(nanoseconds === undefined ? null : durationText(nanoseconds)).toBe(printed);
});

test.each(cases.goDurations)('Go prints duration %s as %s', (text, printed) => {
  expect(goDurationText(parseDuration(text) ?? 0n)).toBe(printed);
});

test.each(cases.timestamps as [string, string | null][])('timestamp %s is %s', (text, printed) => {
  const instant = parseTimestamp(text);
  expect(instant === undefined ? null : timestampText(instant)).toBe(printed);
});

test('Go prints times with their zone', () => {
  const instants = [
    { seconds: 1577934245, nanoseconds: 500_000_000, offset: 0 },
    { seconds: 1577934245, nanoseconds: 0, offset: -19800 },
  ];
  expect(instants.map(goTimeText)).toEqual([
    '2020-01-02 03:04:05.5 +0000 UTC',
    '2020-01-01 21:34:05 -0530 -0530',
  ]);
});

test.each(cases.zones as [string, number, number | string][])(
  'zone %s at %d is %s',
  (name, seconds, expected) => {
    const zone = findZone(name);
    expect(typeof zone === 'function' ? zone(seconds) : zone.error).toBe(expected);
  },
);

test('days are counted back and forth over all of the calendar', () => {
  for (let seconds = -62135596800; seconds < 253402300800; seconds += 86400 * 997 + 12345) {
    expect(civilSeconds(civilTime(seconds))).toBe(seconds);
    const date = new Date(seconds * 1000);
    expect(dayOfWeek(seconds)).toBe(date.getUTCDay());
    const days =
      (Date.UTC(2000, date.getUTCMonth(), date.getUTCDate()) - Date.UTC(2000, 0)) / 864e5;
    const isLeap = new Date(Date.UTC(date.getUTCFullYear() + 400, 1, 29)).getUTCMonth() === 1;
    expect(dayOfYear(seconds)).toBe(days - (isLeap || days < 60 ? 0 : 1));
  }
});
