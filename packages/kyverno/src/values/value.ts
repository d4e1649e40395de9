import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/cel';
import { formatFloat64 } from '@kubeadmit/go';
import { sortedKeys } from '@kubeadmit/go/internal';

// INVARIANT: in values of Kyverno's engine a `number` is what Go holds as float64 and a `bigint` what it holds as int64:
// integers written in a policy inside lists, maps and patterns, integers of objects in a cluster, and results of `compare`.

/** The member of a map, or undefined where the map has no such key of its own. */
export function member(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member under any key, `__proto__` included. */
export const setMember: (object: JsonObject, key: string, value: unknown) => void = setKey;

/** What the JMESPath function `items` gives: a list for some functions and unknown to others. */
export class Items {
  readonly list: readonly JsonObject[];

  constructor(list: readonly JsonObject[]) {
    this.list = list;
  }
}

/** Whether two values are the same in type and content, members in any order (Go's `reflect.DeepEqual`). */
export function deepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (left instanceof Items) return right instanceof Items && deepEqual(left.list, right.list);
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, at) => deepEqual(item, right[at]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && deepEqual(left[key], right[key]));
}

/** A value as Go's `%v` writes it: strings bare, `<nil>`, `[a b]`, `map[k:v]` with keys sorted. */
export function formatValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatFloat64(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      break;
  }
  if (value === null || value === undefined) return '<nil>';
  if (value instanceof Items) return formatValue(value.list);
  if (Array.isArray(value)) return `[${value.map(formatValue).join(' ')}]`;
  if (!isObject(value)) return String(value);
  return `map[${sortedKeys(value)
    .map((key) => `${key}:${formatValue(value[key])}`)
    .join(' ')}]`;
}

/** The name of a value's Go type, as messages print it with `%T`. */
export function typeText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float64';
    case 'bigint':
      return 'int64';
    case 'boolean':
      return 'bool';
    default:
      if (value === null || value === undefined) return '<nil>';
      return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
  }
}

/** A copy in which every number with an integral value of 64 bits is an int64. */
export function withIntegers(value: unknown): unknown {
  if (typeof value === 'number') {
    const isInt64 = Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
    return isInt64 ? BigInt(value) : value;
  }
  return mapMembers(value, withIntegers);
}

/** The value with every number a double: itself where it holds no int64, else a copy. */
export function withDoubles(value: unknown): unknown {
  return holdsIntegers(value) ? toDoubles(value) : value;
}

function holdsIntegers(value: unknown): boolean {
  if (typeof value !== 'object') return typeof value === 'bigint';
  if (value === null) return false;
  if (Array.isArray(value)) return value.some(holdsIntegers);
  if (!isObject(value)) return false;
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (typeof item === 'bigint' || (typeof item === 'object' && holdsIntegers(item))) return true;
  }
  return false;
}

function toDoubles(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return mapMembers(value, toDoubles);
}

/** A copy of a value with nothing in common with it. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isObject(value)) return value;
  const copy: JsonObject = { ...value };
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (typeof inner === 'object' && inner !== null) setMember(copy, key, copyJson(inner));
  }
  return copy;
}

/** A copy in which every string, keys included, is changed. */
export function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapText(item, change));
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, change(key), mapText(value[key], change));
  return copy;
}

function mapMembers(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setMember(copy, key, change(value[key]));
  return copy;
}
