import { concatenateBytes } from '@kubeadmit/go';
import { compute } from './compute.ts';
import { concatLists } from './concat-list.ts';
import { doubleValue, isInt, isList, makeDouble, makeInt } from './kind.ts';
import { Lister } from './lister.ts';
import { noOverload } from './no-overload.ts';
import { checkedTimestamp } from './timestamp-range.ts';
import { CelError, Double, Duration, Timestamp, Uint, type Value } from './value.ts';

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;
const second = 1_000_000_000n;

// The operators of small ints and doubles are computed before (see `compute`); only `add` is called without that step.

/** `left + right`: numbers of one kind, strings, bytes, lists, times; otherwise an error. */
export function add(left: Value, right: Value): Value {
  if (typeof left === 'string') return typeof right === 'string' ? left + right : noOverload();
  const known = compute('_+_', left, right);
  if (known !== undefined) return known;
  if (isInt(left)) {
    return isInt(right) ? checkedInt(BigInt(left) + BigInt(right)) : noOverload();
  }
  if (isList(left)) {
    if (left instanceof Lister) return left.add(right);
    return isList(right) ? concatLists(left, right) : noOverload();
  }
  if (left instanceof Uint) {
    return right instanceof Uint ? checkedUint(left.value + right.value) : noOverload();
  }
  if (left instanceof Duration) {
    if (right instanceof Duration) return checkedDuration(left.nanoseconds + right.nanoseconds);
    return right instanceof Timestamp ? shift(right, left.nanoseconds) : noOverload();
  }
  if (left instanceof Timestamp) {
    return right instanceof Duration ? shift(left, right.nanoseconds) : noOverload();
  }
  return left instanceof Uint8Array && right instanceof Uint8Array
    ? concatenateBytes([left, right])
    : noOverload();
}

/** `left - right`: numbers of one kind and times; otherwise an error. */
export function subtract(left: Value, right: Value): Value {
  if (isInt(left)) {
    return isInt(right) ? checkedInt(BigInt(left) - BigInt(right)) : noOverload();
  }
  if (left instanceof Uint) {
    return right instanceof Uint ? checkedUint(left.value - right.value) : noOverload();
  }
  if (left instanceof Timestamp) {
    if (right instanceof Timestamp) {
      // The whole seconds have to fit by themselves, as in cel-go.
      const seconds = checkedDuration(BigInt(left.seconds - right.seconds) * second);
      return seconds instanceof Duration
        ? checkedDuration(seconds.nanoseconds + BigInt(left.nanoseconds - right.nanoseconds))
        : seconds;
    }
    if (!(right instanceof Duration)) return noOverload();
    return right.nanoseconds === minInt ? intOverflow() : shift(left, -right.nanoseconds);
  }
  return left instanceof Duration && right instanceof Duration
    ? checkedDuration(left.nanoseconds - right.nanoseconds)
    : noOverload();
}

/** `left * right` of numbers of one kind. */
export function multiply(left: Value, right: Value): Value {
  if (isInt(left) && isInt(right)) return checkedInt(BigInt(left) * BigInt(right));
  return left instanceof Uint && right instanceof Uint
    ? checkedUint(left.value * right.value)
    : noOverload();
}

/** `left / right` of numbers of one kind; ints are truncated toward zero. */
export function divide(left: Value, right: Value): Value {
  if (isInt(left) && isInt(right)) {
    return right === 0
      ? new CelError('division by zero')
      : checkedInt(BigInt(left) / BigInt(right));
  }
  if (!(left instanceof Uint && right instanceof Uint)) return noOverload();
  return right.value === 0n ? new CelError('division by zero') : new Uint(left.value / right.value);
}

/** `left % right` of ints or uints; the sign is the dividend's. */
export function modulo(left: Value, right: Value): Value {
  if (isInt(left) && isInt(right)) {
    if (right === 0) return new CelError('modulus by zero');
    if (BigInt(left) === minInt && right === -1) return intOverflow();
    return makeInt(BigInt(left) % BigInt(right));
  }
  if (!(left instanceof Uint && right instanceof Uint)) return noOverload();
  return right.value === 0n ? new CelError('modulus by zero') : new Uint(left.value % right.value);
}

/** `-value` of an int, a double or a duration. */
export function negate(value: Value): Value {
  if (typeof value === 'bigint') return checkedInt(-value);
  if (isInt(value)) return 0 - value;
  if (value instanceof Duration) return checkedDuration(-value.nanoseconds);
  const double = doubleValue(value);
  return double === undefined ? noOverload() : makeDouble(-double);
}

/** Whether `+` is defined for values of this kind on the left (cel-go's `AdderType`). */
export function isAddable(value: Value): boolean {
  return (
    typeof value === 'string' ||
    isSubtractable(value) ||
    isList(value) ||
    value instanceof Uint8Array
  );
}

/** Whether `-` is defined for values of this kind on the left (cel-go's `SubtractorType`). */
export function isSubtractable(value: Value): boolean {
  return isNumber(value) || value instanceof Duration || value instanceof Timestamp;
}

/** Whether the value is a number of any kind. */
export function isNumber(value: Value): boolean {
  return (
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    value instanceof Double ||
    value instanceof Uint
  );
}

/** An int result, or the error of an overflow. */
export function checkedInt(value: bigint): Value {
  return value < minInt || value > maxInt ? intOverflow() : makeInt(value);
}

/** A uint result, or the error of an overflow. */
export function checkedUint(value: bigint): Value {
  return value < 0n || value > maxUint
    ? new CelError('unsigned integer overflow')
    : new Uint(value);
}

function checkedDuration(nanoseconds: bigint): Value {
  return nanoseconds < minInt || nanoseconds > maxInt ? intOverflow() : new Duration(nanoseconds);
}

function shift(time: Timestamp, nanoseconds: bigint): Value {
  const sum = BigInt(time.nanoseconds) + nanoseconds;
  const rest = ((sum % second) + second) % second;
  const seconds = time.seconds + Number((sum - rest) / second);
  return checkedTimestamp(seconds, Number(rest), time.offset);
}

/** The error of an int beyond 64 bits. */
export function intOverflow(): CelError {
  return new CelError('integer overflow');
}
