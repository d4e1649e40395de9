import {
  type CivilTime,
  civilTime,
  dayOfWeek,
  dayOfYear,
  durationIn,
  truncateToInt64,
} from '@kubeadmit/go/internal';
import type { FunctionDeclaration } from '../function-declaration.ts';
import { makeInt } from '../values/kind.ts';
import { CelError, type Duration, type Timestamp, type Value } from '../values/value.ts';
import { overload } from './signature.ts';
import { findZone } from './time-zone.ts';

// Parts of timestamps and durations (cel-spec, "Timestamps and durations").

/** Reads a part of a point in time from its local seconds since the epoch. */
type ReadPart = (seconds: number, time: Timestamp) => number;

function civil(read: (time: CivilTime) => number): ReadPart {
  return (seconds) => read(civilTime(seconds));
}

const nanosecondsPerSecond = 1_000_000_000n;

interface Accessor {
  readonly name: string;
  readonly id: string;
  readonly read: ReadPart;
  readonly zoneId?: string;
  /** The id of the overload for durations, and how many nanoseconds it counts. */
  readonly duration?: readonly [id: string, nanoseconds: bigint];
}

const accessors: readonly Accessor[] = [
  { name: 'getFullYear', id: 'timestamp_to_year', read: civil((time) => time.year) },
  { name: 'getMonth', id: 'timestamp_to_month', read: civil((time) => time.month - 1) },
  { name: 'getDayOfYear', id: 'timestamp_to_day_of_year', read: dayOfYear },
  { name: 'getDayOfMonth', id: 'timestamp_to_day_of_month', read: civil((time) => time.day - 1) },
  { name: 'getDate', id: 'timestamp_to_day_of_month_1_based', read: civil((time) => time.day) },
  { name: 'getDayOfWeek', id: 'timestamp_to_day_of_week', read: dayOfWeek },
  {
    name: 'getHours',
    id: 'timestamp_to_hours',
    read: civil((time) => time.hour),
    duration: ['duration_to_hours', 3_600_000_000_000n],
  },
  {
    name: 'getMinutes',
    id: 'timestamp_to_minutes',
    read: civil((time) => time.minute),
    duration: ['duration_to_minutes', 60_000_000_000n],
  },
  {
    name: 'getSeconds',
    id: 'timestamp_to_seconds',
    zoneId: 'timestamp_to_seconds_tz',
    read: civil((time) => time.second),
    duration: ['duration_to_seconds', 1_000_000_000n],
  },
  {
    name: 'getMilliseconds',
    id: 'timestamp_to_milliseconds',
    read: (_, time) => Math.floor(time.nanoseconds / 1_000_000),
    duration: ['duration_to_milliseconds', 1_000_000n],
  },
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
  ({ name, id, read, zoneId = `${id}_with_tz`, duration }) => ({
    name,
    overloads: [
      overload(id, 'timestamp.() -> int', {
        evaluate: (time: Timestamp) => read(time.seconds, time),
      }),
      overload(zoneId, 'timestamp.(string) -> int', {
        evaluate: (time: Timestamp, zone: string) => inZone(time, zone, read),
      }),
      ...(duration === undefined
        ? []
        : [
            overload(duration[0], 'duration.() -> int', {
              evaluate: (value: Duration) => makeInt(wholeUnits(value, duration[1])),
            }),
          ]),
    ],
  }),
);
