import type { CivilTime } from './civil-time.ts';
import { longMonths } from './layout.ts';

/** A time as Go's `%#v` prints it; `zone` is such as `time.UTC`. */
export function timeSyntax(time: CivilTime, nanoseconds: number, zone: string): string {
  const { year, month, day, hour, minute, second } = time;
  const name = `time.${longMonths[month - 1]}`;
  return `time.Date(${[year, name, day, hour, minute, second, nanoseconds, zone].join(', ')})`;
}
