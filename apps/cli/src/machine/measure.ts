import type { Answer } from './lines.ts';

/** How long one case is measured, in nanoseconds; warming up takes a quarter of it. */
const benchTime = 200_000_000n;

/** Runs between two looks at the clock. */
const runsAtOnce = 16;

/** The time of one run in nanoseconds, and how many runs it was measured over. */
export function measure(run: () => unknown): Answer {
  repeat(run, benchTime / 4n);
  return repeat(run, benchTime);
}

function repeat(run: () => unknown, time: bigint): { nanoseconds: number; runs: number } {
  const start = process.hrtime.bigint();
  let runs = 0;
  let passed = 0n;
  while (passed < time) {
    for (let i = 0; i < runsAtOnce; i++) run();
    runs += runsAtOnce;
    passed = process.hrtime.bigint() - start;
  }
  return { nanoseconds: Number(passed) / runs, runs };
}
