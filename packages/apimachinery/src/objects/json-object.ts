import { isPlainObject } from '@kubeadmit/go/internal';

/** A JSON object as `JSON.parse` makes it; read members with {@link member} or own-property checks only. */
export type JsonObject = { [key: string]: unknown };

/** Whether a value is a JSON object: no list, no null, no number in a wrapper. */
export const isObject: (value: unknown) => value is JsonObject = isPlainObject;

/** The member of a JSON object; undefined where the object has none of its own, and for any other value. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

/** A member that is a string; empty where it is none. */
export function memberText(value: unknown, key: string): string {
  const found = member(value, key);
  return typeof found === 'string' ? found : '';
}

/** The items of a member that is a list; none where it is no list. */
export function memberList(value: unknown, key: string): readonly unknown[] {
  const found = member(value, key);
  return Array.isArray(found) ? found : [];
}

/** The strings in a member that is a list. */
export function memberTexts(value: unknown, key: string): readonly string[] {
  return memberList(value, key).filter((item) => typeof item === 'string');
}
