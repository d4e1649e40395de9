// Cost estimates of expressions before evaluation.
export type { CallEstimate, CallPart } from './call-estimate.ts';
// Estimates and what is made of them.
export { fixed, lesser, product, scaled, sum, union } from './checked.ts';
export { type EstimateOptions, estimateCost } from './estimate-cost.ts';
export { type Estimate, greatest, unknownSize } from './estimates.ts';
export type { DeclaredSize } from './known-sizes.ts';
