/**
 * Work that gives way to its host: the host goes on with `next(false)`, or with `next(true)` when the time of the
 * request is up. What has not been evaluated by then is an error, about which the failure policy of each policy
 * decides.
 */
export type Steps<Result> = Generator<undefined, Result, boolean>;

/**
 * Asked before each policy, and between what is evaluated of one: whether the host is given way to. A question costs
 * much less than giving way, for which there is rarely a reason.
 */
export type WantsTurn = (where: 'before' | 'within') => boolean;

/** The error of policies whose turn came too late. */
export const lateText = 'the time of the request was up before the policy was evaluated';

/** Does all steps at once. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next(false);
    if (step.done === true) return step.value;
  }
}
