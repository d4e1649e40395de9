import {
  type Duration,
  durationType,
  type Library,
  stringType,
  Timestamp,
  timestampType,
  type Value,
} from '@kubeadmit/cel';
import { civilTime } from '@kubeadmit/go/internal';
import { functionsNamed } from './declare.ts';

/** Tells the time in milliseconds since 1970. */
export type Clock = () => number;

const nanosecondsPerSecond = 1_000_000_000n;
/** Seconds from the year 1, from which Go truncates, to 1970. */
const secondsBefore1970 = 62_135_596_800n;

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
        evaluate: () => {
          const now = clock();
          const seconds = Math.floor(now / 1000);
          return new Timestamp(seconds, Math.round((now - seconds * 1000) * 1_000_000));
        },
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
        evaluate: (time: Value, unit: Value) => truncated(time as Timestamp, unit as Duration),
      }),
    ],
  };
}

function cronOf({ seconds, offset }: Timestamp): string {
  const { month, day, hour, minute } = civilTime(seconds + offset);
  const weekday = (((Math.floor((seconds + offset) / 86_400) + 4) % 7) + 7) % 7;
  return [minute, hour, day, month, weekday].join(' ');
}

function truncated({ seconds, nanoseconds, offset }: Timestamp, unit: Duration): Timestamp {
  if (unit.nanoseconds <= 0n) return new Timestamp(seconds, nanoseconds, offset);
  const total = (BigInt(seconds) + secondsBefore1970) * nanosecondsPerSecond + BigInt(nanoseconds);
  const rest = total - (total % unit.nanoseconds);
  const whole = rest / nanosecondsPerSecond - secondsBefore1970;
  return new Timestamp(Number(whole), Number(rest % nanosecondsPerSecond), offset);
}
