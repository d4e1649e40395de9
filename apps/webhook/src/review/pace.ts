import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '@kubeadmit/admission/internal';

// How long one request keeps the others waiting at most, but for a single evaluation.
const turnMilliseconds = 5;

/** When something began, by `performance.now()`, and the seconds that it took. */
export interface TimedStep {
  readonly start: number;
  readonly seconds: number;
}

/**
 * Does the steps of a request, and lets others have their turns in between; tells it when `deadline`, a time of
 * `performance.now()`, has passed. `took` gets the time of each step.
 */
export async function atPace<Result>(
  steps: Steps<Result>,
  deadline: number,
  took: TimedStep[] = [],
): Promise<Result> {
  let last = performance.now();
  let began = performance.now();
  let isLate = began > deadline;
  for (;;) {
    const step = steps.next(isLate);
    const now = performance.now();
    took.push({ start: last, seconds: (now - last) / 1000 });
    last = now;
    if (step.done === true) return step.value;
    isLate = now > deadline;
    if (now - began < turnMilliseconds || isLate) continue;
    await nextTurn();
    began = performance.now();
    last = began;
    isLate = began > deadline;
  }
}
