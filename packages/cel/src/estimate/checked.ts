import { describeValue, hasMembers } from '@kubeadmit/go/internal';
import * as estimates from './estimates.ts';

// Variants that check their arguments, for libraries of functions.

type Estimate = estimates.Estimate;

/**
 * Creates the estimate of a known size or cost.
 *
 * @throws TypeError if `value` is not an integer
 */
export function fixed(value: number | bigint): Estimate {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) {
    throw new TypeError(`fixed takes an integer, not ${describeValue(value)}`);
  }
  return estimates.fixed(value);
}

/**
 * Adds estimates.
 *
 * @throws TypeError if an argument is not an estimate
 */
export function sum(...all: readonly Estimate[]): Estimate {
  for (const each of all) requireEstimate('sum', each);
  return estimates.sum(...all);
}

/**
 * Multiplies two estimates.
 *
 * @throws TypeError if an argument is not an estimate
 */
export function product(left: Estimate, right: Estimate): Estimate {
  requireEstimate('product', left);
  requireEstimate('product', right);
  return estimates.product(left, right);
}

/**
 * Returns the range that covers both estimates.
 *
 * @throws TypeError if an argument is not an estimate
 */
export function union(left: Estimate, right: Estimate): Estimate {
  requireEstimate('union', left);
  requireEstimate('union', right);
  return estimates.union(left, right);
}

/**
 * Returns the lesser of two integers of any length, or the greater one if `isReversed`.
 *
 * @throws TypeError if an argument is not a bigint
 */
export function lesser(left: bigint, right: bigint, isReversed = false): bigint {
  for (const each of [left, right]) {
    if (typeof each !== 'bigint') {
      throw new TypeError(`lesser takes bigints, not ${describeValue(each)}`);
    }
  }
  if (typeof isReversed !== 'boolean') {
    throw new TypeError(`lesser takes true for the greater one, not ${describeValue(isReversed)}`);
  }
  return estimates.lesser(left, right, isReversed);
}

/**
 * Multiplies an estimate by a factor and rounds up, as Go does with doubles.
 *
 * @throws TypeError if the estimate or the factor is invalid
 */
export function scaled(estimate: Estimate, factor: number): Estimate {
  requireEstimate('scaled', estimate);
  if (typeof factor !== 'number' || Number.isNaN(factor)) {
    throw new TypeError(`scaled takes a number as factor, not ${describeValue(factor)}`);
  }
  return estimates.scaled(estimate, factor);
}

function requireEstimate(call: string, value: unknown): void {
  const isEstimate =
    hasMembers(value) && typeof value['min'] === 'bigint' && typeof value['max'] === 'bigint';
  if (isEstimate) return;
  throw new TypeError(
    `${call} takes estimates with \`min\` and \`max\` as bigints, not ${describeValue(value)}`,
  );
}
