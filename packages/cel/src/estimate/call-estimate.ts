import type { Type } from '../values/types.ts';
import type { Estimate } from './estimates.ts';

/** A receiver or argument of a call, as far as its size matters. */
export interface CallPart {
  /** Its type. */
  readonly type: Type;
  /** How large it can be; `undefined` where nothing is known. */
  readonly size: Estimate | undefined;
  /** The value of an integer literal. */
  readonly literal?: bigint | undefined;
  /** The element of a list; undefined for anything else. */
  readonly element: { readonly type: Type; readonly size: Estimate } | undefined;
}

/** The cost of a call without its arguments, and the size of its result. */
export interface CallEstimate {
  /** In units of CEL cost, its arguments not included. */
  readonly cost: Estimate;
  /** How large the result can be; absent where nothing is known. */
  readonly size?: Estimate;
}
