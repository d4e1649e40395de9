/** A moment with the offset of the zone that it was written in. */
export interface Time {
  /** Seconds since 1970 in UTC. */
  readonly seconds: number;
  /** From 0 to 999,999,999. */
  readonly nanoseconds: number;
  /** Seconds that the zone is ahead of UTC. */
  readonly offset: number;
}

const second = 1_000_000_000n;
/** Seconds from 1970 back to Go's zero time, the first day of year 1. */
const zeroTime = -62_135_596_800;
const longest = 2n ** 63n - 1n;

/** A moment in milliseconds since 1970, in UTC. */
export function timeFromMilliseconds(milliseconds: number): Time {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanoseconds: Math.round((milliseconds - seconds * 1000) * 1e6), offset: 0 };
}

/** Whether a moment is Go's zero time, in any zone (`Time.IsZero`). */
export function isZeroTime({ seconds, nanoseconds }: Time): boolean {
  return seconds === zeroTime && nanoseconds === 0;
}

/** The nanoseconds from the second moment to the first, limited to 64 bits (`Time.Sub`). */
export function subtractTimes(left: Time, right: Time): bigint {
  const difference =
    BigInt(left.seconds - right.seconds) * second + BigInt(left.nanoseconds - right.nanoseconds);
  if (difference > longest) return longest;
  return difference < -longest - 1n ? -longest - 1n : difference;
}

/** A moment later by some nanoseconds (`Time.Add`). */
export function addToTime(time: Time, nanoseconds: bigint): Time {
  const total = BigInt(time.seconds) * second + BigInt(time.nanoseconds) + nanoseconds;
  const rest = ((total % second) + second) % second;
  return {
    seconds: Number((total - rest) / second),
    nanoseconds: Number(rest),
    offset: time.offset,
  };
}

/** A moment rounded down to a multiple of a duration since the zero time (`Time.Truncate`). */
export function truncateTime(time: Time, nanoseconds: bigint): Time {
  if (nanoseconds <= 0n) return time;
  const sinceZero = BigInt(time.seconds - zeroTime) * second + BigInt(time.nanoseconds);
  const rest = ((sinceZero % nanoseconds) + nanoseconds) % nanoseconds;
  return addToTime(time, -rest);
}
