// Where two sets of policies differ.
export type { Difference, KnownDifference } from './comparison.ts';
export { type DifferenceOptions, type Differences, findDifferences } from './difference.ts';
export type { Unreached } from './guide.ts';
export type { Judgement, Likeness } from './judge.ts';
