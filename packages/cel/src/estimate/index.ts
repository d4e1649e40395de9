// What expressions cost before they are evaluated.
export type { CallEstimate, CallPart } from './call-estimate.ts';
export { type EstimateOptions, estimateCost } from './estimate-cost.ts';
// Estimates and what is made of them.
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
