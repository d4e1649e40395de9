import { describeValue, hasMembers } from '@kubeadmit/go/internal';
import * as estimates from './estimates.ts';

// For libraries of functions: what stands here looks at what it is given.

type Estimate = estimates.Estimate;

/**
 * A size or cost that is known.
 *
 * @throws TypeError for what is no integer
 */
export function fixed(value: number | bigint): Estimate {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) {
    throw new TypeError(`fixed takes an integer, not ${describeValue(value)}`);
  }
  return estimates.fixed(value);
}

/**
 * The sum of estimates.
 *
 * @throws TypeError for what is no estimate
 */
export function sum(...all: readonly Estimate[]): Estimate {
  for (const each of all) requireEstimate('sum', each);
  return estimates.sum(...all);
}

/**
 * The product of two estimates.
 *
 * @throws TypeError for what is no estimate
 */
export function product(left: Estimate, right: Estimate): Estimate {
  requireEstimate('product', left);
  requireEstimate('product', right);
  return estimates.product(left, right);
}

/**
 * The range that covers both.
 *
 * @throws TypeError for what is no estimate
 */
export function union(left: Estimate, right: Estimate): Estimate {
  requireEstimate('union', left);
  requireEstimate('union', right);
  return estimates.union(left, right);
}

/**
 * The lesser of two integers of any length, or the greater one.
 *
 * @throws TypeError for what is no bigint
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
 * An estimate times a factor, rounded up, as Go does it with doubles.
 *
 * @throws TypeError for what is no estimate, and no number
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
