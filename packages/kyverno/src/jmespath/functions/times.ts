import { parseTime, type Time } from '@kubeadmit/go';
import {
  addToTime,
  civilTime,
  dayOfWeek,
  formatDuration,
  formatRfc3339,
  formatSeconds,
  parseDuration,
  parseInt64,
  quote,
  subtractTimes,
  timeFromMilliseconds,
  truncateTime,
} from '@kubeadmit/go/internal';
import { Failure } from '../failure.ts';
import type { FunctionEntry, Run } from '../step.ts';

const rfc3339 = '2006-01-02T15:04:05Z07:00';

/** Kyverno's functions on times. */
export const timeFunctions: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  ['time_now', { apply: (_args, run) => mapTime(now(run), format) }],
  ['time_now_utc', { apply: (_args, run) => mapTime(now(run), format) }],
  ['time_since', { parameters: texts(3), apply: timeSince }],
  ['time_diff', onTimes(2, ([start, end]) => formatDuration(subtractTimes(end, start)))],
  ['time_before', onTimes(2, ([left, right]) => subtractTimes(left, right) < 0n)],
  ['time_after', onTimes(2, ([left, right]) => subtractTimes(left, right) > 0n)],
  [
    'time_between',
    onTimes(
      3,
      ([time, start, end]) => subtractTimes(time, start) > 0n && subtractTimes(time, end) < 0n,
    ),
  ],
  ['time_utc', onTimes(1, ([time]) => format({ ...time, offset: 0 }))],
  ['time_to_cron', onTimes(1, ([time]) => toCron(time))],
  ['time_add', onTimeAndDuration(addToTime)],
  ['time_truncate', onTimeAndDuration(truncateTime)],
  [
    'time_parse',
    { parameters: texts(2), apply: ([layout, text]) => timeParse(String(layout), String(text)) },
  ],
]);

function texts(count: number): readonly (readonly ['string'])[] {
  return Array.from({ length: count }, () => ['string'] as const);
}

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
  count: number,
  apply: (times: readonly [Time, Time, Time]) => unknown,
): FunctionEntry {
  return {
    parameters: texts(count),
    apply: (args) => {
      const times: Time[] = [];
      for (const text of args) {
        const time = timeIn(rfc3339, String(text));
        if (time instanceof Failure) return time;
        times.push(time);
      }
      return apply(times as unknown as readonly [Time, Time, Time]);
    },
  };
}

function onTimeAndDuration(change: (time: Time, nanoseconds: bigint) => Time): FunctionEntry {
  return {
    parameters: texts(2),
    apply: ([text, amount]) =>
      mapTime(timeIn(rfc3339, String(text)), (time) => {
        const duration = parseDuration(String(amount));
        return typeof duration === 'bigint'
          ? format(change(time, duration))
          : new Failure(duration.error);
      }),
  };
}

function timeSince([layout, start, end]: readonly unknown[], run: Run): unknown {
  const form = String(layout) || rfc3339;
  const first = timeIn(form, String(start));
  if (first instanceof Failure) return first;
  const second = end === '' ? now(run) : timeIn(form, String(end));
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
