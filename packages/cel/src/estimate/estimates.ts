/** A range of sizes or costs; the greatest is 2^64 - 1, at which sums and products stop. */
export interface Estimate {
  /** The least. */
  readonly min: bigint;
  /** The most; 2^64 - 1 where there is no bound. */
  readonly max: bigint;
}

/** The greatest size or cost. */
export const greatest: bigint = 2n ** 64n - 1n;

/** A size of which nothing is known. */
export const unknownSize: Estimate = { min: 0n, max: greatest };

/** Creates the estimate of a known size or cost. */
export function fixed(value: number | bigint): Estimate {
  return { min: BigInt(value), max: BigInt(value) };
}

function capped(value: bigint): bigint {
  return value > greatest ? greatest : value;
}

/** Adds estimates. */
export function sum(...estimates: readonly Estimate[]): Estimate {
  return estimates.reduce(
    (total, { min, max }) => ({ min: capped(total.min + min), max: capped(total.max + max) }),
    fixed(0),
  );
}

/** Multiplies two estimates. */
export function product(left: Estimate, right: Estimate): Estimate {
  return { min: capped(left.min * right.min), max: capped(left.max * right.max) };
}

/** Returns the range that covers both estimates. */
export function union(left: Estimate, right: Estimate): Estimate {
  return { min: lesser(left.min, right.min), max: lesser(left.max, right.max, true) };
}

/** Returns the lesser of two integers of any length, or the greater one if `isReversed`. */
export function lesser(left: bigint, right: bigint, isReversed = false): bigint {
  const isLess = left < right;
  return isLess === isReversed ? right : left;
}

/** Multiplies an estimate by a factor and rounds up, as Go does with doubles. */
export function scaled({ min, max }: Estimate, factor: number): Estimate {
  return { min: scale(min, factor), max: scale(max, factor) };
}

function scale(value: bigint, factor: number): bigint {
  const result = Math.ceil(Number(value) * factor);
  return result >= 2 ** 64 ? greatest : BigInt(result);
}
