import { compareText } from '@kubeadmit/go';
import { isIntegral } from './kind.ts';
import { noOverload } from './no-overload.ts';
import { CelError, Double, Duration, Timestamp, Uint, type Value } from './value.ts';

/** Returns the kind of a number, or `undefined` for other values. */
export function numberKind(value: Value): 'int' | 'uint' | 'double' | undefined {
  if (typeof value === 'number') return isIntegral(value) ? 'int' : 'double';
  if (typeof value === 'bigint') return 'int';
  return value instanceof Uint ? 'uint' : value instanceof Double ? 'double' : undefined;
}

/**
 * Orders two numbers of any kinds: negative, 0 or positive, `NaN` where one of them is not a number.
 *
 * As in cel-go, an int or uint is rounded to a double before it is compared with one.
 */
export function compareNumbers(left: Value, right: Value): number {
  let a = plainNumber(left);
  let b = plainNumber(right);
  if (typeof a !== typeof b && (isDouble(left) || isDouble(right))) {
    a = Number(a);
    b = Number(b);
  }
  return a < b ? -1 : a > b ? 1 : a >= b ? 0 : Number.NaN;
}

function isDouble(value: Value): boolean {
  return value instanceof Double || (typeof value === 'number' && !isIntegral(value));
}

function plainNumber(value: Value): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof Uint || value instanceof Double ? value.value : 0;
}

/**
 * Orders two values of the kinds that have an order: negative, 0 or positive, or cel-go's error.
 *
 * The kind of the left one decides; the right one has to be of the same kind, or a number too.
 */
export function compare(left: Value, right: Value): number | CelError {
  if (typeof left === 'string') {
    return typeof right === 'string' ? compareText(left, right) : noOverload();
  }
  if (numberKind(left) !== undefined) {
    if (numberKind(right) === undefined) return isNaNValue(left) ? notOrdered() : noOverload();
    const order = compareNumbers(left, right);
    return Number.isNaN(order) ? notOrdered() : order;
  }
  if (typeof left === 'boolean') {
    return typeof right === 'boolean' ? Number(left) - Number(right) : noOverload();
  }
  if (left instanceof Timestamp) {
    return right instanceof Timestamp
      ? left.seconds - right.seconds || left.nanoseconds - right.nanoseconds
      : noOverload();
  }
  if (left instanceof Duration) {
    return right instanceof Duration ? order(left.nanoseconds, right.nanoseconds) : noOverload();
  }
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array ? compareBytes(left, right) : noOverload();
  }
  return noOverload();
}

/** Whether values of this kind have an order (cel-go's `ComparerType`). */
export function isComparable(value: Value): boolean {
  return typeof value === 'object'
    ? value instanceof Timestamp ||
        value instanceof Duration ||
        value instanceof Uint8Array ||
        value instanceof Uint ||
        value instanceof Double
    : true;
}

function order(left: bigint, right: bigint): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function isNaNValue(value: Value): boolean {
  return typeof value === 'number' && Number.isNaN(value);
}

function notOrdered(): CelError {
  return new CelError('NaN values cannot be ordered');
}
