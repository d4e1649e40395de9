import { describe, expect, test } from 'vitest';
import { civilSeconds, civilTime, dayOfWeek, dayOfYear } from '../../src/time/civil-time.ts';
import {
  durationIn,
  durationSeconds,
  formatDuration,
  parseDuration,
} from '../../src/time/duration.ts';
import { formatRfc3339, formatSeconds, formatTime } from '../../src/time/format-time.ts';
import { loadLocation } from '../../src/time/location.ts';
import { parseRfc3339 } from '../../src/time/parse-rfc3339.ts';
import { parseTime } from '../../src/time/parse-time.ts';
import {
  addToTime,
  isZeroTime,
  subtractTimes,
  type Time,
  truncateTime,
} from '../../src/time/time.ts';
import cases from '../cases/times.json' with { type: 'json' };

const minute = 60_000_000_000n;

test.each(cases.durations as [string, object][])('the duration %j', (text, answer) => {
  const duration = parseDuration(text);
  expect(
    typeof duration === 'bigint'
      ? {
          printed: formatDuration(duration),
          seconds: durationSeconds(duration),
          minutes: durationIn(duration, minute),
          hours: durationIn(duration, 60n * minute),
        }
      : duration,
  ).toEqual(answer);
});

test.each(cases.times as [string, string, object, ...unknown[]][])(
  'by the layout %j the time %j',
  (layout, text, answer, ...printed) => {
    const time = parseTime(layout, text);
    expect(time).toEqual(answer);
    if (layout === '2006-01-02T15:04:05Z07:00') {
      expect(parseRfc3339(text)).toEqual('error' in time ? undefined : time);
    }
    if ('error' in time) return;
    const utc = (changed: Time): string => formatRfc3339({ ...changed, offset: 0 });
    expect([
      formatRfc3339(time),
      formatRfc3339(time, { decimals: 0 }),
      formatRfc3339(time, { decimals: 6 }),
      formatTime(time),
      isZeroTime(time),
      utc(truncateTime(time, 7n * minute)),
      utc(addToTime(time, -90n * minute - 1n)),
    ]).toEqual(printed);
  },
);

test.each(cases.locations as [string, number, number | string][])(
  'the location %s at %d is %s',
  (name, seconds, expected) => {
    const zone = loadLocation(name);
    expect(typeof zone === 'function' ? zone(seconds) : zone.error).toBe(expected);
  },
);

describe('the calendar', () => {
  test('is counted back and forth', () => {
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

  test('goes as far as 64 bits do', () => {
    expect(formatSeconds(0n)).toBe('1970-01-01T00:00:00Z');
    expect(formatSeconds(253402300800n)).toBe('10000-01-01T00:00:00Z');
  });

  test('has no longer difference than a duration', () => {
    const first = { seconds: -62135596800, nanoseconds: 0, offset: 0 };
    const last = { seconds: 253402300799, nanoseconds: 0, offset: 0 };
    expect(subtractTimes(last, first)).toBe(2n ** 63n - 1n);
    expect(subtractTimes(first, last)).toBe(-(2n ** 63n));
  });
});
