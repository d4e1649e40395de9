import { type Duration, type Library, Timestamp, type Value } from '@kubeadmit/cel';
import { durationType, stringType, timestampType } from '@kubeadmit/cel/internal';
import type { Time } from '@kubeadmit/go';
import {
  civilTime,
  dayOfWeek,
  timeFromMilliseconds,
  timeOn,
  truncateTime,
} from '@kubeadmit/go/internal';
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
    functions: [
      ...functionsNamed(['time.now'], {
        id: 'time_now',
        parameters: [],
        result: timestampType,
        evaluate: () => timestampOf(timeFromMilliseconds(timeOn(clock))),
      }),
      ...functionsNamed(['time.toCron'], {
        id: 'time_to_cron',
        parameters: [timestampType],
        result: stringType,
        evaluate: (time: Value) => cronOf(time as Timestamp),
      }),
      ...functionsNamed(['time.truncate'], {
        id: 'time_truncate',
        parameters: [timestampType, durationType],
        result: timestampType,
        evaluate: (time: Value, unit: Value) =>
          timestampOf(truncateTime(time as Timestamp, (unit as Duration).nanoseconds)),
      }),
    ],
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
