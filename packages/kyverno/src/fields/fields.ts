import { isObject, type JsonObject, listOf, memberObject, textOf } from '@kubeadmit/apimachinery';

/** A member of a policy: by its name, else by its name in other case, as Go decodes; undefined for null. */
export function field(object: JsonObject, name: string): unknown {
  if (Object.hasOwn(object, name)) return object[name] ?? undefined;
  // Most requested members are absent, so this is one of the most frequent paths.
  let found: unknown;
  for (const key of Object.keys(object)) {
    if (key.length === name.length && key.toLowerCase() === name.toLowerCase()) found = object[key];
  }
  return found ?? undefined;
}

/** A member that is a string; anything else is the empty string. */
export function stringField(object: JsonObject, name: string): string {
  return textOf(field(object, name));
}

/** A text of the metadata of an object, which may be missing. */
export function metadataText(object: JsonObject | undefined, name: string): string {
  return stringField(memberObject(object, 'metadata'), name);
}

/** A member that is a map; anything else is undefined. */
export function objectField(object: JsonObject, name: string): JsonObject | undefined {
  const value = field(object, name);
  return isObject(value) ? value : undefined;
}

/** A member that is a list; anything else is the empty list. */
export function listField(object: JsonObject, name: string): readonly unknown[] {
  return listOf(field(object, name));
}

/** The maps of a member that is a list. */
export function objectsField(object: JsonObject, name: string): readonly JsonObject[] {
  return listField(object, name).filter(isObject);
}

/** The strings of a member that is a list. */
export function textsField(object: JsonObject, name: string): readonly string[] {
  return listField(object, name).filter((item) => typeof item === 'string');
}

/** The members of some names, as far as they are there. */
export function pickFields(source: JsonObject, names: readonly string[]): JsonObject {
  const object: JsonObject = {};
  for (const name of names) {
    const value = field(source, name);
    if (value !== undefined) object[name] = value;
  }
  return object;
}

/** Whether a map has a member that differs from the zero value of its Go type. */
export function saysSomething(source: JsonObject | undefined): boolean {
  return Object.values(source ?? {}).some((said) => said !== null && said !== '');
}
