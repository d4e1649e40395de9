import { formatRfc3339, parseRfc3339 } from '@kubeadmit/go';

/** A time of the API as seconds since 1970 and the nanoseconds after them. */
export function secondsAndNanos(text: string): {
  readonly seconds: number;
  readonly nanos: number;
} {
  const { seconds, nanoseconds } = parseRfc3339(text) ?? { seconds: Number.NaN, nanoseconds: 0 };
  return { seconds, nanos: nanoseconds };
}

/** The text of a time in the API; times with microseconds always write six digits. */
export function timeText(seconds: number, nanos: number, kind: 'time' | 'microtime'): string {
  const time = {
    seconds: isOfCalendar(seconds) ? seconds : zeroTime,
    nanoseconds: nanos,
    offset: 0,
  };
  return formatRfc3339(time, { decimals: kind === 'time' ? 0 : 6 });
}

const zeroTime = -62_135_596_800;

/** Whether so many seconds are within the years that times of JavaScript have. */
function isOfCalendar(seconds: number): boolean {
  return Math.abs(seconds) <= 8.64e12;
}
