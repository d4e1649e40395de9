import { describeValue } from './arguments.ts';

/** The last millisecond that JavaScript has a date for. */
const lastMillisecond = 8.64e15;

/**
 * The time of a host's clock, in milliseconds since 1970.
 *
 * @throws TypeError for a clock that gives something else, such as a `Date`
 */
export function timeOn(clock: () => number): number {
  const time = clock();
  if (typeof time === 'number' && Math.abs(time) <= lastMillisecond) return time;
  throw new TypeError(
    `\`clock\` must return milliseconds since 1970, as \`Date.now\` does, got ${describeValue(time)}`,
  );
}

/** Returns the time of a clock that gives milliseconds since 1970, in the form of times in objects. */
export function timeOf(clock: () => number): string {
  return new Date(timeOn(clock)).toISOString().replace(/\.\d+Z$/, 'Z');
}
