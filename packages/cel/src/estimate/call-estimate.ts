import type { Type } from '../types.ts';
import type { Estimate } from './estimates.ts';

/** A receiver or argument of a call, as far as its size matters. */
export interface CallPart {
  readonly type: Type;
  readonly size: Estimate | undefined;
  /** The value of an integer literal. */
  readonly literal?: bigint | undefined;
  /** The element of a list; undefined for anything else. */
  readonly element: { readonly type: Type; readonly size: Estimate } | undefined;
}

/** What a call costs besides its arguments, and how large its result is. */
export interface CallEstimate {
  readonly cost: Estimate;
  readonly size?: Estimate;
}
