import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { Double } from '@kubeadmit/cel';

/** What Go's decoder makes of a JSON value; whole numbers written without a point are integers. */
export type JsonKind = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

/** Tells what a JSON value is. */
export function kindOf(value: unknown): JsonKind {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'string':
      return 'string';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      break;
  }
  if (value === null || value === undefined) return 'null';
  if (value instanceof Double) return 'number';
  return Array.isArray(value) ? 'array' : 'object';
}

/** The kind of a JSON value as Go's decoder names it. */
export function jsonKind(value: unknown): string {
  const kind = kindOf(value);
  if (kind === 'integer') return 'number';
  return kind === 'boolean' ? 'bool' : kind;
}

/** The own property of a key that a user chose. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The number that a JSON number stands for, integers beyond 2^53 rounded; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Double ? value.value : undefined;
}

/** Whether two JSON values are the same to Go's `reflect.DeepEqual`: `1` and `1.0` are not. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (kindOf(left) !== kindOf(right)) return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  }
  if (isObject(left) && isObject(right)) {
    const keys = Object.keys(left);
    return (
      keys.length === Object.keys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key]))
    );
  }
  const number = numberOf(left);
  return number !== undefined && typeof left !== 'bigint' && number === numberOf(right);
}
