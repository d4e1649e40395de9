import type { Answer } from '@kubeadmit/machine';

/** How long one case is measured, in nanoseconds. */
const benchTime = 200_000_000n;

/**
 * The warm-up takes as many runs and nanoseconds as V8 needs to compile the code on another thread: most is compiled
 * after a quarter of them, and the last calls are inlined near the end.
 */
const warmRuns = 20_000;
const shortestWarmUp = 500_000_000n;
const longestWarmUp = 2_000_000_000n;

/** The least time between two looks at the clock, in nanoseconds, so that looking takes none of it. */
const leastBatch = 50_000n;

/** The time of one run in nanoseconds, and how many runs it was measured over. */
export function measure(run: () => unknown): Answer {
  repeat(run, shortestWarmUp, warmRuns);
  return repeat(run, benchTime);
}

function repeat(
  run: () => unknown,
  time: bigint,
  leastRuns: number = 0,
): { nanoseconds: number; runs: number } {
  const start = process.hrtime.bigint();
  let runs = 0;
  let batch = 1;
  let passed = 0n;
  while (passed < time || (runs < leastRuns && passed < longestWarmUp)) {
    const before = passed;
    for (let i = 0; i < batch; i++) run();
    runs += batch;
    passed = process.hrtime.bigint() - start;
    if (passed - before < leastBatch) batch *= 2;
  }
  return { nanoseconds: Number(passed) / runs, runs };
}
