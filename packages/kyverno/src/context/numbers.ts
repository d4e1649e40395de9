import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';

// INVARIANT: in values of Kyverno's engine a `number` is a float64 in Go, and a `bigint` an int64:
// integers written in a policy inside lists, maps and patterns, integers of objects in a cluster, and results of
// `compare`.

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

/** A copy of a list or map with its members changed; the value itself where it is neither. */
export function mapMembers(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setKey(copy, key, change(value[key]));
  return copy;
}
