import { doubleValue, isInt, isList, isMap } from './kind.ts';
import { mapGet, mapKeys } from './maps.ts';
import type { Type } from './types.ts';
import { Duration, SpecialValue, Timestamp, TypeValue, Uint, type Value } from './value.ts';

/**
 * Whether values can be arguments of a type at run time.
 *
 * Of lists and maps only the first element or entry is looked at, as in cel-go.
 */
export function accepts(type: Type): (value: Value) => boolean {
  const test = acceptsValue(type);
  return type.nullable ? (value) => value === null || test(value) : test;
}

function acceptsValue(type: Type): (value: Value) => boolean {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
      return () => true;
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'string':
      return isText;
    case 'int':
      return isInt;
    case 'double':
      return (value) => doubleValue(value) !== undefined;
    case 'uint':
      return (value) => value instanceof Uint;
    case 'bytes':
      return (value) => value instanceof Uint8Array;
    case 'null':
      return (value) => value === null;
    case 'timestamp':
      return (value) => value instanceof Timestamp;
    case 'duration':
      return (value) => value instanceof Duration;
    case 'type':
      return (value) => value instanceof TypeValue;
    case 'list':
      return acceptsList(type);
    case 'map':
      return acceptsMap(type);
    default:
      return (value) =>
        value instanceof SpecialValue && (value.type === type || value.type.name === type.name);
  }
}

/** Whether a value is a text: the test of all arguments that have to be one. */
export function isText(value: Value): value is string {
  return typeof value === 'string';
}

function acceptsList(type: Type): (value: Value) => boolean {
  const [elementType] = type.parameters;
  const element = elementType && accepts(elementType);
  return (value) =>
    isList(value) && (value[0] === undefined || element === undefined || element(value[0]));
}

function acceptsMap(type: Type): (value: Value) => boolean {
  const [keyType, valueType] = type.parameters;
  const key = keyType && accepts(keyType);
  const entry = valueType && accepts(valueType);
  return (value) => {
    if (!isMap(value)) return false;
    const first = mapKeys(value)[0];
    if (first === undefined) return true;
    return (key?.(first) ?? true) && (entry?.(mapGet(value, first) ?? null) ?? true);
  };
}
