import { compareQuantities, quantityOf } from '@kubeadmit/apimachinery/quantity';
import { compareSemver, parseSemver, type Semver } from '@kubeadmit/apimachinery/semver';
import { parseFloat64 } from '@kubeadmit/go';
import { durationOperand, durationPair } from '../patterns/durations.ts';

/** Whether an order (negative, zero or positive) satisfies the operator. */
export type OrderTest = (order: number) => boolean;

/** Whether a value of a condition has an order with some other value under an operator such as `GreaterThan`. */
export function hasOrder(operand: unknown, isDuration: boolean): boolean {
  if (isDuration) return durationOperand(operand) !== undefined;
  if (typeof operand !== 'string') return isFinite(operand);
  const others = ['1', '1s', '1.0.0', operand];
  return others.some((other) => isOrdered(operand, other, () => true));
}

function isFinite(operand: unknown): boolean {
  return typeof operand === 'bigint' || (typeof operand === 'number' && !Number.isNaN(operand));
}

/** The operators `GreaterThan` and its family; false for values that have no order. */
export function isOrdered(key: unknown, value: unknown, test: OrderTest): boolean {
  if (typeof key === 'number') return floatIsOrdered(key, value, test);
  if (typeof key === 'bigint') return floatIsOrdered(Number(key), value, test);
  return typeof key === 'string' && textIsOrdered(key, value, test);
}

function compareNumbers(left: number, right: number, test: OrderTest): boolean {
  if (Number.isNaN(left) || Number.isNaN(right)) return false;
  return test(left < right ? -1 : left > right ? 1 : 0);
}

function floatIsOrdered(key: number, value: unknown, test: OrderTest): boolean {
  if (typeof value === 'number') return compareNumbers(key, value, test);
  if (typeof value === 'bigint') return compareNumbers(key, Number(value), test);
  if (typeof value !== 'string') return false;
  const durations = durationPair(key, value);
  if (durations !== undefined) return compareNumbers(...durations, test);
  const number = parseFloat64(value);
  return typeof number === 'number' && compareNumbers(key, number, test);
}

function textIsOrdered(key: string, value: unknown, test: OrderTest): boolean {
  const durations = durationPair(key, value);
  if (durations !== undefined) return compareNumbers(...durations, test);
  if (typeof value === 'string') {
    const quantity = quantityOf(key);
    const other = quantity === undefined ? undefined : quantityOf(value);
    if (quantity !== undefined && other !== undefined)
      return test(compareQuantities(quantity, other));
  }
  const number = parseFloat64(key);
  if (typeof number === 'number') return floatIsOrdered(number, value, test);
  const version = typeof value === 'string' ? parseVersion(key) : undefined;
  const other = version === undefined ? undefined : parseVersion(String(value));
  return version !== undefined && other !== undefined && test(compareSemver(version, other));
}

/** Parses a version, or returns `undefined`; most strings are not versions and do not start like one. */
function parseVersion(text: string): Semver | undefined {
  const version = /^\d/.test(text) ? parseSemver(text) : undefined;
  return version === undefined || 'error' in version ? undefined : version;
}

/** The deprecated operators `DurationGreaterThan` and its family. */
export function durationIsOrdered(key: unknown, value: unknown, test: OrderTest): boolean {
  const left = durationOperand(key);
  const right = left === undefined ? undefined : durationOperand(value);
  if (left === undefined || right === undefined) return false;
  return test(left < right ? -1 : left > right ? 1 : 0);
}
