import { compareNumbers, numberKind } from './compare.ts';
import { plainList, somePart } from './concat-list.ts';
import { unlike } from './go-form.ts';
import { isList, isMap } from './kind.ts';
import { Lister } from './lister.ts';
import { CelMap } from './map.ts';
import { isSameMap } from './maps.ts';
import { goFormOf } from './origin.ts';
import {
  CelError,
  Duration,
  OpaqueValue,
  Optional,
  type PlainObject,
  SpecialValue,
  StructValue,
  Timestamp,
  TypeValue,
  type Value,
} from './value.ts';

/**
 * Whether two values are equal, across kinds of numbers too; values of different kinds are not equal.
 *
 * An opaque value on the left decides for itself and can fail. Within lists and maps a failed comparison counts as
 * equal, as in cel-go's `baseList` and `baseMap`, but not in values that Go keeps in another form (see `goFormOf`).
 */
export function equal(left: Value, right: Value): boolean | CelError {
  if (left === right && !hasOwnEquality(left)) {
    return typeof left !== 'number' || !Number.isNaN(left);
  }
  if (typeof left === 'string' || typeof left === 'boolean') return false;
  if (typeof left === 'number' || typeof left === 'bigint') return equalNumbers(left, right);
  if (left === null || right === null) return false;
  if (isList(left)) {
    if (left instanceof Lister) return left.equals(right);
    return isList(right) ? equalLists(left, right) : unlike(left);
  }
  if (!(left instanceof SpecialValue)) {
    return left instanceof Uint8Array
      ? right instanceof Uint8Array && equalBytes(left, right)
      : isMap(right)
        ? equalMaps(left, right)
        : unlike(left, right);
  }
  if (left instanceof CelMap) {
    if (left.equals !== undefined) return left.equals(right);
    return isMap(right) ? equalMaps(left, right) : unlike(left);
  }
  if (left instanceof OpaqueValue || left instanceof StructValue) return left.equals(right);
  if (left instanceof Timestamp) {
    return (
      right instanceof Timestamp &&
      left.seconds === right.seconds &&
      left.nanoseconds === right.nanoseconds
    );
  }
  if (left instanceof Duration) {
    return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  }
  if (left instanceof TypeValue) {
    return right instanceof TypeValue && left.named.name === right.named.name;
  }
  if (left instanceof Optional) return right instanceof Optional && equalOptionals(left, right);
  if (left instanceof CelError) return left;
  return equalNumbers(left, right);
}

/** Whether two values are equal and can be compared at all. */
export function isEqual(left: Value, right: Value): boolean {
  return equal(left, right) === true;
}

/** Whether an element of a list equals a value; lists with a custom comparison may return an error. */
export function listContains(list: readonly Value[], value: Value): boolean | CelError {
  if (list instanceof Lister) return list.contains(value);
  return typeof value === 'string'
    ? somePart(list, (elements) => elements.includes(value))
    : somePart(list, (elements) => hasEqual(elements, value));
}

function hasEqual(elements: readonly Value[], value: Value): boolean {
  const isNumber = typeof value === 'number';
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index] as Value;
    // Two plain numbers are equal when they are the same, and no text is one.
    const isOfSameForm = isNumber && (typeof element === 'number' || typeof element === 'string');
    if (isOfSameForm ? element === value : isEqual(value, element)) return true;
  }
  return false;
}

function equalMaps(left: PlainObject | CelMap, right: PlainObject | CelMap): boolean | CelError {
  const form = goFormOf(left);
  if (form === undefined) {
    // The keys of a map that an expression built are known to exist. Two such maps are compared by the keys of the left
    // one: `{1: 1} == {1.0: 1}` and `{1.0: 1} == {1: 1}` differ.
    return right instanceof CelMap && !(left instanceof CelMap)
      ? isSameMap(right, left, (other, value) => differs(value, other))
      : isSameMap(left, right, differs);
  }
  if (form.isSame !== undefined) {
    const other = goFormOf(right);
    if (other?.kind === 'struct') return form.isSame(left, right, other);
  }
  let failure: CelError | undefined;
  const isSame = isSameMap(left, right, (value, other) => {
    // Go asks the member itself, which treats null as neither a list nor a map.
    const result = other === null && isHeld(value) ? unlike(value) : equal(value, other);
    if (typeof result === 'boolean') return !result;
    failure = result;
    return true;
  });
  return !isSame && form.kind === 'struct' ? (failure ?? false) : isSame;
}

/** Whether two values differ; values that cannot be compared count as equal. */
function differs(value: Value, other: Value): boolean {
  return equal(value, other) === false;
}

function isHeld(value: Value): boolean {
  return isList(value) || isMap(value);
}

function equalNumbers(left: Value, right: Value): boolean {
  return (
    numberKind(left) !== undefined &&
    numberKind(right) !== undefined &&
    compareNumbers(left, right) === 0
  );
}

function equalLists(left: readonly Value[], right: readonly Value[]): boolean {
  if (left.length !== right.length) return false;
  const [elements, others] = [plainList(left), plainList(right)];
  for (let index = 0; index < elements.length; index++) {
    const result = equal(elements[index] as Value, others[index] as Value);
    if (result !== true && (result === false || goFormOf(left) !== undefined)) return false;
  }
  return true;
}

function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((value, index) => value === right[index]);
}

function equalOptionals(left: Optional, right: Optional): boolean | CelError {
  if (left.value === undefined || right.value === undefined) return left.value === right.value;
  return equal(left.value, right.value);
}

/** Whether a value compares itself, and may refuse that even with itself. */
function hasOwnEquality(value: Value): boolean {
  return (
    value instanceof OpaqueValue ||
    value instanceof Lister ||
    (value instanceof CelMap && value.equals !== undefined)
  );
}
