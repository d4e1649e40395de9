import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey, sortedKeys, sortMembers } from '@kubeadmit/go/internal';
import type { FieldShape, Shape } from './shape.ts';

/**
 * A decoded value as Go's `encoding/json` writes it: fields in the order of their type, empty ones left out where the
 * type says so and zero where not. `JSON.stringify` keeps the order.
 */
export function encodeTyped(value: unknown, shape: Shape): unknown {
  if (value === undefined || value === null) return zeroOf(shape);
  switch (shape.kind) {
    case 'list':
      return Array.isArray(value) ? value.map((item) => encodeTyped(item, shape.items)) : value;
    case 'map':
      return isObject(value) ? encodeMap(value, shape.values) : value;
    case 'own': {
      const choice = shape.choices.find(({ kind }) => (kind === 'list') === Array.isArray(value));
      return choice === undefined ? value : encodeTyped(value, choice);
    }
    case 'struct':
      return isObject(value) ? encodeStruct(value, shape.fields()) : value;
    case 'free':
      // This type holds what was read, all others the text that was read.
      return shape.type === 'kyverno.Any' ? sortMembers(value) : value;
    default:
      return value;
  }
}

function encodeMap(value: JsonObject, values: Shape): JsonObject {
  const object: JsonObject = {};
  for (const key of sortedKeys(value)) setKey(object, key, encodeTyped(value[key], values));
  return object;
}

function encodeStruct(value: JsonObject, fields: ReadonlyMap<string, FieldShape>): JsonObject {
  const object: JsonObject = {};
  for (const [name, { shape, isPointer, omitsEmpty }] of fields) {
    const member = value[name];
    const isNull = isPointer && (member === undefined || member === null);
    if (omitsEmpty && (isNull || (!isPointer && isEmpty(member, shape)))) continue;
    object[name] = isNull ? null : encodeTyped(member, shape);
  }
  return object;
}

function isEmpty(value: unknown, shape: Shape): boolean {
  switch (shape.kind) {
    case 'list':
      return !Array.isArray(value) || value.length === 0;
    case 'map':
      return !isObject(value) || Object.keys(value).length === 0;
    case 'struct':
      return false;
    default:
      return (
        value === undefined || value === null || value === '' || value === 0 || value === false
      );
  }
}

function zeroOf(shape: Shape): unknown {
  switch (shape.kind) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
      return 0;
    case 'struct':
      return encodeStruct({}, shape.fields());
    default:
      return null;
  }
}
