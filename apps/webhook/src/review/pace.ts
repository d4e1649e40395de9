import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Steps } from '@kubeadmit/admission';

// How long one request keeps the others waiting at most, but for a single evaluation.
const turnMilliseconds = 5;

/**
 * Does the steps of a request, and lets others have their turns in between; tells it when `deadline`, a time of
 * `performance.now()`, has passed.
 */
export async function atPace<Result>(steps: Steps<Result>, deadline: number): Promise<Result> {
  let began = performance.now();
  let isLate = began > deadline;
  for (;;) {
    const step = steps.next(isLate);
    if (step.done === true) return step.value;
    const now = performance.now();
    isLate = now > deadline;
    if (now - began < turnMilliseconds || isLate) continue;
    await nextTurn();
    began = performance.now();
    isLate = began > deadline;
  }
}
