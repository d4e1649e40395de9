import { timeOn } from '@kubeadmit/base';
import { type Duration, type Library, Timestamp } from '@kubeadmit/cel';
import { civilTime, dayOfWeek, type Time, timeFromMilliseconds, truncateTime } from '@kubeadmit/go';
import { functionsNamed } from './declare.ts';

/** Tells the time in milliseconds since 1970. */
export type Clock = () => number;

/**
 * Times (Kyverno's `kyverno.time`).
 *
 * - `time.now()`; `time.truncate(timestamp("2026-01-02T03:04:05Z"), duration("1h"))` is 03:00.
 * - `time.toCron(timestamp("2026-01-02T03:04:05Z"))` is `"4 3 2 1 5"`.
 */
export function timeLibrary(clock: Clock): Library {
  return {
    name: 'kyverno.time',
    functions: functionsNamed([
      [
        'time.now',
        'time_now',
        '() -> timestamp',
        () => timestampOf(timeFromMilliseconds(timeOn(clock))),
      ],
      ['time.toCron', 'time_to_cron', '(timestamp) -> string', cronOf],
      [
        'time.truncate',
        'time_truncate',
        '(timestamp, duration) -> timestamp',
        (time: Timestamp, { nanoseconds }: Duration) =>
          timestampOf(truncateTime(time, nanoseconds)),
      ],
    ]),
  };
}

function cronOf({ seconds, offset }: Timestamp): string {
  const local = seconds + offset;
  const { month, day, hour, minute } = civilTime(local);
  return [minute, hour, day, month, dayOfWeek(local)].join(' ');
}

function timestampOf({ seconds, nanoseconds, offset }: Time): Timestamp {
  return new Timestamp(seconds, nanoseconds, offset);
}
