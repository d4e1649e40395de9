import { formatCelValue } from '../values/format-cel-value.ts';
import { goKeyProblem } from '../values/go-form.ts';
import { doubleValue, isInt, isList, isMap, typeOf } from '../values/kind.ts';
import { mapGet } from '../values/maps.ts';
import { CelError, type PlainObject, StructValue, Uint, type Value } from '../values/value.ts';

/** `value[key]` or `value.key`; an error where there is no such thing. */
export function qualify(value: Value, key: Value): Value {
  if (typeof key === 'string' && isOrdinaryObject(value)) {
    return Object.hasOwn(value, key) ? (value[key] as Value) : missingKey(key);
  }
  if (isMap(value)) return goKeyProblem(value, key) ?? orMissing(mapGet(value, key), key);
  if (isList(value)) {
    const index = listIndex(key);
    if (index instanceof CelError) return index;
    const element = value[index];
    return element === undefined
      ? new CelError(`index out of bounds: ${formatCelValue(key)}`)
      : (goKeyProblem(value, key) ?? element);
  }
  if (value instanceof StructValue && typeof key === 'string') {
    return orMissing(value.get(key), key);
  }
  return missingKey(key);
}

/** Tells most plain objects at once; others need a closer look. */
function isOrdinaryObject(value: Value): value is PlainObject {
  return typeof value === 'object' && value !== null && value.constructor === Object;
}

/** A value that was looked up, or the error that its key is not there. */
export function orMissing(value: Value | undefined, key: Value): Value {
  return value === undefined ? missingKey(key) : value;
}

/** Reads `value[key]`. Returns `undefined` if it does not exist, and an error if that is undecidable. */
export function find(value: Value, key: Value): Value | undefined {
  if (typeof key === 'string' && isOrdinaryObject(value)) {
    return Object.hasOwn(value, key) ? value[key] : undefined;
  }
  if (isMap(value)) return goKeyProblem(value, key) ?? mapGet(value, key);
  if (isList(value)) {
    const index = listIndex(key);
    if (index instanceof CelError) return index;
    const element = value[index];
    return element === undefined ? undefined : (goKeyProblem(value, key) ?? element);
  }
  if (value instanceof StructValue && typeof key === 'string') {
    const isSet = value.has(key);
    return isSet instanceof CelError ? isSet : isSet ? value.get(key) : undefined;
  }
  return undefined;
}

/** Whether `value.key` exists, for `has()`; an error if that is undecidable. */
export function isPresent(value: Value, key: string): boolean | CelError {
  if (value instanceof StructValue) return value.has(key);
  const found = find(value, key);
  return found instanceof CelError ? found : found !== undefined;
}

/** The error of a key that is not there. */
function missingKey(key: Value): CelError {
  return new CelError(`no such key: ${formatCelValue(key)}`);
}

/** The position that a key means in a list; an error when it is not a whole number. */
function listIndex(key: Value): number | CelError {
  if (isInt(key)) return Number(key);
  if (key instanceof Uint) return key.value > maximalInt ? unusable(key) : Number(key.value);
  const double = doubleValue(key);
  if (double !== undefined) {
    return Number.isInteger(double) && Math.abs(double) < 2 ** 63 ? double : unusable(key);
  }
  return new CelError(`unsupported index type '${typeOf(key).name}' in list`);
}

const maximalInt = 2n ** 63n - 1n;

function unusable(key: Value): CelError {
  return new CelError(`unsupported index value ${formatCelValue(key)} in list`);
}
