// Cost estimates of expressions before evaluation.
export type { CallEstimate, CallPart } from './call-estimate.ts';
export { type EstimateOptions, estimateCost } from './estimate-cost.ts';
export {
  type Estimate,
  fixed,
  greatest,
  lesser,
  product,
  scaled,
  sum,
  union,
  unknownSize,
} from './estimates.ts';
export type { DeclaredSize } from './known-sizes.ts';
