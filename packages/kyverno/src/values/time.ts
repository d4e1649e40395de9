import { type CivilTime, civilSeconds, civilTime } from '@kubeadmit/go/internal';

/** A moment with the offset of the zone that it was written in, both in seconds. */
export interface Time {
  /** Seconds since 1970 in UTC. */
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly offset: number;
}

/** The parts of a moment on the clock of its zone. */
export interface Clock extends CivilTime {
  /** 0 is Sunday. */
  readonly weekday: number;
}

const secondsPerDay = 86_400;
/** Seconds from the first day of year 1 to 1970: Go's zero time. */
const zeroTime = -62_135_596_800;
const longestDuration = 2n ** 63n - 1n;

/** The moment that a clock shows in a zone. */
export function timeOf(clock: CivilTime, nanoseconds: number, offset: number): Time {
  return { seconds: civilSeconds(clock) - offset, nanoseconds, offset };
}

/** A moment in milliseconds since 1970, in UTC. */
export function timeFromMilliseconds(milliseconds: number): Time {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds, nanoseconds: Math.round((milliseconds - seconds * 1000) * 1e6), offset: 0 };
}

/** What the clock of a moment's zone shows. */
export function clockOf({ seconds, offset }: Time): Clock {
  const local = seconds + offset;
  const days = Math.floor(local / secondsPerDay);
  return { ...civilTime(local), weekday: (((days + 4) % 7) + 7) % 7 };
}

/** What the Gregorian calendar takes to begin anew. */
const cycle = { seconds: 12_622_780_800n, years: 400n };
/** The first second of the first year that Go's calendar knows; seconds before it are those of its last ones. */
const firstSecond = -9_223_371_966_579_724_800n;

/** Seconds since 1970, of which there may be as many as 64 bits hold, as RFC 3339 in UTC. */
export function formatSeconds(given: bigint): string {
  const seconds = given < firstSecond ? given + 2n ** 64n : given;
  const inCycle = ((seconds % cycle.seconds) + cycle.seconds) % cycle.seconds;
  const text = formatTime({ seconds: Number(inCycle), nanoseconds: 0, offset: 0 });
  const year = BigInt(text.slice(0, 4)) + ((seconds - inCycle) / cycle.seconds) * cycle.years;
  return `${year < 0n ? '-' : ''}${pad(year < 0n ? -year : year, 4)}${text.slice(4)}`;
}

/** A moment as RFC 3339 in whole seconds, with the offset of its zone. */
export function formatTime(time: Time): string {
  const { year, month, day, hour, minute, second } = clockOf(time);
  const date = `${year < 0 ? '-' : ''}${pad(Math.abs(year), 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  return `${date}T${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}${formatOffset(time.offset)}`;
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60), 2)}:${pad(minutes % 60, 2)}`;
}

/** The nanoseconds from the second moment to the first, at most what 64 bits hold. */
export function subtractTimes(left: Time, right: Time): bigint {
  const difference =
    BigInt(left.seconds - right.seconds) * 1_000_000_000n +
    BigInt(left.nanoseconds - right.nanoseconds);
  if (difference > longestDuration) return longestDuration;
  return difference < -longestDuration - 1n ? -longestDuration - 1n : difference;
}

/** A moment later by some nanoseconds. */
export function addToTime(time: Time, nanoseconds: bigint): Time {
  const total = BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds) + nanoseconds;
  const rest = ((total % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return {
    seconds: Number((total - rest) / 1_000_000_000n),
    nanoseconds: Number(rest),
    offset: time.offset,
  };
}

/** A moment rounded down to a multiple of a duration since the zero time. */
export function truncateTime(time: Time, nanoseconds: bigint): Time {
  if (nanoseconds <= 0n) return time;
  const sinceZero = BigInt(time.seconds - zeroTime) * 1_000_000_000n + BigInt(time.nanoseconds);
  const rest = ((sinceZero % nanoseconds) + nanoseconds) % nanoseconds;
  return addToTime(time, -rest);
}

/** Whether a year has 366 days. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

function pad(value: number | bigint, width: number): string {
  return String(value).padStart(width, '0');
}
