import { CelMap } from './map.ts';
import {
  boolType,
  bytesType,
  doubleType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  type Type,
} from './types.ts';
import { Double, type PlainObject, SpecialValue, type Value } from './value.ts';

/** The type of a value at run time; lists and maps have dynamic elements. */
export function typeOf(value: Value): Type {
  switch (typeof value) {
    case 'boolean':
      return boolType;
    case 'string':
      return stringType;
    case 'bigint':
      return intType;
    case 'number':
      return isIntegral(value) ? intType : doubleType;
    default:
      break;
  }
  if (value === null) return nullType;
  if (value instanceof SpecialValue) return value.type;
  if (Array.isArray(value)) return listType;
  return value instanceof Uint8Array ? bytesType : mapType;
}

/** Whether a value is a CEL list. */
export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

/** Whether the value is a map as `JSON.parse` makes it. */
export function isPlainObject(value: Value): value is PlainObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof SpecialValue) &&
    !Array.isArray(value) &&
    !(value instanceof Uint8Array)
  );
}

/** Whether the value is a map of either form. */
export function isMap(value: Value): value is PlainObject | CelMap {
  return value instanceof CelMap || isPlainObject(value);
}

/** Whether a value is a CEL int. */
export function isInt(value: Value): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && isIntegral(value));
}

const intLimit = 2 ** 63;

/**
 * Whether a number is an int: integral and within 64 bits. Beyond that Go reads it from JSON as a double, the least int
 * too where it was one: that is written with fewer digits, as -9223372036854776000.
 */
export function isIntegral(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < intLimit;
}

/** Returns the number of a double, or `undefined` for other values. */
export function doubleValue(value: Value): number | undefined {
  if (typeof value === 'number') return isIntegral(value) ? undefined : value;
  return value instanceof Double ? value.value : undefined;
}

/** The double with the given number. */
export function makeDouble(value: number): number | Double {
  return Number.isInteger(value) ? new Double(value) : value;
}

/** The int with the given number, which has to be within 64 bits. */
export function makeInt(value: bigint): number | bigint {
  const small = Number(value);
  return Number.isSafeInteger(small) ? small : value;
}
