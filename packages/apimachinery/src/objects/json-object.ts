import { isPlainObject } from '@kubeadmit/go';

/** A JSON object as `JSON.parse` makes it; read members with {@link member} or own-property checks only. */
export type JsonObject = { [key: string]: unknown };

/** Whether a value is a JSON object: no list, no null, no number in a wrapper. */
export const isObject: (value: unknown) => value is JsonObject = isPlainObject;

/** The member of a JSON object; undefined where the object has none of its own, and for any other value. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}
