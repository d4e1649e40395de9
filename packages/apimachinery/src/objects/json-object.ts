import { isPlainObject } from '@kubeadmit/base';

/** A JSON object as `JSON.parse` makes it; read members with {@link member} or own-property checks only. */
export type JsonObject = { [key: string]: unknown };

/** Whether a value is a JSON object: no list, no null, no number in a wrapper. */
export const isObject: (value: unknown) => value is JsonObject = isPlainObject;

/** Returns an own member of a JSON object, or `undefined` if there is none or the value is not an object. */
export function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
}

/** Returns the value if it is a string, and an empty string otherwise. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the value if it is a JSON object, and an empty object otherwise. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Returns the value if it is a list, and an empty list otherwise. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A member as {@link textOf} reads it. */
export function memberText(value: unknown, key: string): string {
  return textOf(member(value, key));
}

/** A member as {@link objectOf} reads it. */
export function memberObject(value: unknown, key: string): JsonObject {
  return objectOf(member(value, key));
}

/** A member as {@link listOf} reads it. */
export function memberList(value: unknown, key: string): readonly unknown[] {
  return listOf(member(value, key));
}

/** Returns the elements of a list member; an element that is not an object counts as an empty one. */
export function memberObjects(value: unknown, key: string): readonly JsonObject[] {
  return memberList(value, key).filter(isObject);
}

/** The strings in a member that is a list. */
export function memberTexts(value: unknown, key: string): readonly string[] {
  return memberList(value, key).filter((item) => typeof item === 'string');
}
