/**
 * Asked before each policy, and between what is evaluated of one: whether the host is given way to. A question costs
 * much less than giving way, for which there is rarely a reason.
 */
export type WantsTurn = (where: 'before' | 'within') => boolean;

/** The error of policies whose turn came too late. */
export const lateText = 'the time of the request was up before the policy was evaluated';
