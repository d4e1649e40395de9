/**
 * Whether to yield to the host. Called before each policy and between its evaluations, because a call costs much less
 * than yielding, which is rarely needed.
 */
export type WantsTurn = (where: 'before' | 'within') => boolean;

/** The error of policies whose turn came too late. */
export const lateText = 'the time of the request was up before the policy was evaluated';
