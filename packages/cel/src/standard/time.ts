import {
  type CivilTime,
  civilTime,
  dayOfWeek,
  dayOfYear,
  durationIn,
  truncateToInt64,
} from '@kubeadmit/go';
import type { FunctionDeclaration } from '../declarations/function-declaration.ts';
import { overload } from '../declarations/signature.ts';
import { makeInt } from '../values/kind.ts';
import { CelError, type Duration, type Timestamp, type Value } from '../values/value.ts';
import { findZone } from './time-zone.ts';

// Parts of timestamps and durations (cel-spec, "Timestamps and durations").

/** Reads a part of a point in time from its local seconds since the epoch. */
type ReadPart = (seconds: number, time: Timestamp) => number;

function civil(read: (time: CivilTime) => number): ReadPart {
  return (seconds) => read(civilTime(seconds));
}

const nanosecondsPerSecond = 1_000_000_000n;

/** A function, the part that it gives as ids of overloads call it, and how many nanoseconds it counts of a duration. */
type Accessor = readonly [name: string, part: string, read: ReadPart, unit?: bigint];

const accessors: readonly Accessor[] = [
  ['getFullYear', 'year', civil((time) => time.year)],
  ['getMonth', 'month', civil((time) => time.month - 1)],
  ['getDayOfYear', 'day_of_year', dayOfYear],
  ['getDayOfMonth', 'day_of_month', civil((time) => time.day - 1)],
  ['getDate', 'day_of_month_1_based', civil((time) => time.day)],
  ['getDayOfWeek', 'day_of_week', dayOfWeek],
  ['getHours', 'hours', civil((time) => time.hour), 3_600_000_000_000n],
  ['getMinutes', 'minutes', civil((time) => time.minute), 60_000_000_000n],
  ['getSeconds', 'seconds', civil((time) => time.second), nanosecondsPerSecond],
  [
    'getMilliseconds',
    'milliseconds',
    (_, time) => Math.floor(time.nanoseconds / 1_000_000),
    1_000_000n,
  ],
];

function inZone(time: Timestamp, name: string, read: ReadPart): Value {
  const zone = findZone(name);
  return typeof zone === 'function'
    ? read(time.seconds + zone(time.seconds), time)
    : new CelError(zone.error);
}

/** As cel-go, through a double: almost a whole unit can become one. Milliseconds are counted exactly. */
function wholeUnits({ nanoseconds }: Duration, unit: bigint): bigint {
  return unit < nanosecondsPerSecond
    ? nanoseconds / unit
    : truncateToInt64(durationIn(nanoseconds, unit));
}

/** `getFullYear` and the like, of timestamps in UTC or a given zone, and of durations. */
export const timeFunctions: readonly FunctionDeclaration[] = accessors.map(
  ([name, part, read, unit]) => ({
    name,
    overloads: [
      overload(`timestamp_to_${part}`, 'timestamp.() -> int', {
        evaluate: (time: Timestamp) => read(time.seconds, time),
      }),
      overload(
        // The one that cel-go calls otherwise.
        `timestamp_to_${part}${part === 'seconds' ? '' : '_with'}_tz`,
        'timestamp.(string) -> int',
        { evaluate: (time: Timestamp, zone: string) => inZone(time, zone, read) },
      ),
      ...(unit === undefined
        ? []
        : [
            overload(`duration_to_${part}`, 'duration.() -> int', {
              evaluate: (value: Duration) => makeInt(wholeUnits(value, unit)),
            }),
          ]),
    ],
  }),
);
