import {
  isObject,
  type JsonObject,
  member,
  memberList,
  memberText,
  memberTexts,
  objectOf,
} from '@kubeadmit/apimachinery';
import { numberOf } from '../values/json-value.ts';

/** The schema of a value, as a definition contains it (apiextensions, `JSONSchemaProps`). */
export type Schema = JsonObject;

export function limitOf(schema: Schema, key: string): number | undefined {
  return numberOf(member(schema, key));
}

/** A switch of a schema. */
export function isOn(schema: Schema, key: string): boolean {
  return member(schema, key) === true;
}

/** A schema inside a schema: `items`, `not`. */
export function innerOf(schema: Schema, key: string): Schema | undefined {
  const value = member(schema, key);
  return isObject(value) ? value : undefined;
}

/** The schemas of `allOf`, `anyOf` or `oneOf`. */
export function branchesOf(schema: Schema, key: string): readonly Schema[] {
  return memberList(schema, key).map(objectOf);
}

/** The declared properties of a schema, or those of another map of schemas. */
export function propertiesOf(schema: Schema, key = 'properties'): JsonObject {
  return innerOf(schema, key) ?? {};
}

/** The schema of a declared property. */
export function propertyOf(schema: Schema, name: string): Schema | undefined {
  const properties = propertiesOf(schema);
  if (!Object.hasOwn(properties, name)) return undefined;
  return objectOf(properties[name]);
}

/** The schema of the entries of a map. */
export function valuesOf(schema: Schema): Schema | undefined {
  return innerOf(schema, 'additionalProperties');
}

/** The schema of a key of an object: its property or the values of the map. */
export function schemaOfKey(schema: Schema, key: string): Schema | undefined {
  return propertyOf(schema, key) ?? valuesOf(schema);
}

/** The list type, or an empty text. */
export function listTypeOf(schema: Schema): string {
  return memberText(schema, 'x-kubernetes-list-type');
}

/** The properties that identify the items of a list of type `map`. */
export function listMapKeysOf(schema: Schema): readonly string[] {
  return memberTexts(schema, 'x-kubernetes-list-map-keys');
}

/** Whether the values of a map or object before and after an update belong together by key. */
export function isCorrelatableMap(schema: Schema): boolean {
  const type = member(schema, 'x-kubernetes-map-type');
  return type === undefined || type === null || type === 'granular' || type === 'atomic';
}
