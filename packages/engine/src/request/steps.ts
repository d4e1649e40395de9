/** A place at which a host can let other requests run: before a policy, or between two evaluations of one policy. */
export type StepPlace = 'policy' | 'evaluation';

/**
 * Work on a request, divided into steps. The host continues with `next(false)`, or with `next(true)` after the deadline
 * of the request: every later evaluation is then an error, to which the failure policy of its policy applies.
 */
export type Steps<Result> = Generator<StepPlace, Result, boolean>;

/** Runs all steps without a pause. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next(false);
    if (step.done === true) return step.value;
  }
}
