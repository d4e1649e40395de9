import { CelError, Timestamp } from './value.ts';

/** The first second of year 1, the earliest that CEL allows. */
export const minTimestampSeconds: number = -62135596800;
/** The last second of year 9999, the latest that CEL allows. */
const maxTimestampSeconds = 253402300799;

/** Whether CEL has timestamps in a second. */
export function isTimestampSecond(seconds: number): boolean {
  return seconds >= minTimestampSeconds && seconds <= maxTimestampSeconds;
}

/** A timestamp, or the error of one out of range. */
export function checkedTimestamp(
  seconds: number,
  nanoseconds: number,
  offset?: number,
): Timestamp | CelError {
  return isTimestampSecond(seconds)
    ? new Timestamp(seconds, nanoseconds, offset)
    : new CelError('timestamp overflow');
}
