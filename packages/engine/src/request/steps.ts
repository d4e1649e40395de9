/**
 * Work on a request that gives way to its host: the host goes on with `next(false)`, or with `next(true)` when the time
 * of the request is up. What has not been evaluated by then is an error, about which the failure policy of each policy
 * decides.
 */
export type Steps<Result> = Generator<undefined, Result, boolean>;

/** Does all steps at once. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next(false);
    if (step.done === true) return step.value;
  }
}
