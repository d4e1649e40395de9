import {
  addToTime,
  civilTime,
  dayOfWeek,
  formatDuration,
  formatRfc3339,
  formatSeconds,
  parseDuration,
  parseInt64,
  parseTime,
  quote,
  subtractTimes,
  type Time,
  timeFromMilliseconds,
  truncateTime,
} from '@kubeadmit/go';
import { Failure } from '../steps/failure.ts';
import type { FunctionEntry, Run } from '../steps/step.ts';
import { define } from './define.ts';

const rfc3339 = '2006-01-02T15:04:05Z07:00';

/** Kyverno's functions on times. */
export const timeFunctions: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  ['time_now', { apply: (_args, run) => mapTime(now(run), format) }],
  ['time_now_utc', { apply: (_args, run) => mapTime(now(run), format) }],
  define('time_since', ['string', 'string', 'string'], timeSince),
  onTimes('time_diff', 2, ([start, end]) => formatDuration(subtractTimes(end, start))),
  onTimes('time_before', 2, ([left, right]) => subtractTimes(left, right) < 0n),
  onTimes('time_after', 2, ([left, right]) => subtractTimes(left, right) > 0n),
  onTimes(
    'time_between',
    3,
    ([time, start, end]) => subtractTimes(time, start) > 0n && subtractTimes(time, end) < 0n,
  ),
  onTimes('time_utc', 1, ([time]) => format({ ...time, offset: 0 })),
  onTimes('time_to_cron', 1, ([time]) => toCron(time)),
  onTimeAndDuration('time_add', addToTime),
  onTimeAndDuration('time_truncate', truncateTime),
  define('time_parse', ['string', 'string'], timeParse),
]);

function now({ now: milliseconds }: Run): Time | Failure {
  if (milliseconds === undefined) return new Failure('the time of the evaluation is not known');
  return timeFromMilliseconds(milliseconds);
}

function timeIn(layout: string, text: string): Time | Failure {
  const time = parseTime(layout, text);
  return 'error' in time ? new Failure(time.error) : time;
}

function mapTime(time: Time | Failure, map: (time: Time) => unknown): unknown {
  return time instanceof Failure ? time : map(time);
}

function onTimes(
  name: string,
  count: number,
  apply: (times: readonly [Time, Time, Time]) => unknown,
): [string, FunctionEntry] {
  return define(
    name,
    Array.from({ length: count }, () => 'string' as const),
    (...args) => {
      const times: Time[] = [];
      for (const text of args.slice(0, count)) {
        const time = timeIn(rfc3339, String(text));
        if (time instanceof Failure) return time;
        times.push(time);
      }
      return apply(times as unknown as readonly [Time, Time, Time]);
    },
  );
}

function onTimeAndDuration(
  name: string,
  change: (time: Time, nanoseconds: bigint) => Time,
): [string, FunctionEntry] {
  return define(name, ['string', 'string'], (text, amount) =>
    mapTime(timeIn(rfc3339, text), (time) => {
      const duration = parseDuration(amount);
      return typeof duration === 'bigint'
        ? format(change(time, duration))
        : new Failure(duration.error);
    }),
  );
}

function timeSince(layout: string, start: string, end: string, run: Run): unknown {
  const form = layout || rfc3339;
  const first = timeIn(form, start);
  if (first instanceof Failure) return first;
  const second = end === '' ? now(run) : timeIn(form, end);
  return mapTime(second, (time) => formatDuration(subtractTimes(time, first)));
}

/** A time in whole seconds. */
function format(time: Time): string {
  return formatRfc3339(time, { decimals: 0 });
}

/** A layout that is a number means seconds since 1970. */
function timeParse(layout: string, text: string): unknown {
  if (typeof parseInt64(layout) === 'string') return mapTime(timeIn(layout, text), format);
  const seconds = parseInt64(text);
  return typeof seconds === 'bigint'
    ? formatSeconds(seconds)
    : new Failure(`strconv.ParseInt: parsing ${quote(text)}: ${seconds}`);
}

function toCron(time: Time): string {
  const local = time.seconds + time.offset;
  const { minute, hour, day, month } = civilTime(local);
  return `${minute} ${hour} ${day} ${month} ${dayOfWeek(local)}`;
}
