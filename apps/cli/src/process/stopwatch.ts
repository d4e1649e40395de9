import { hrtime } from 'node:process';

/** Begins to measure: gives the seconds since. The timer of browsers would load fourteen modules of Node 20. */
export function stopwatch(): () => number {
  const start = hrtime.bigint();
  return () => Number(hrtime.bigint() - start) / 1e9;
}
