import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { sortedKeys, sortMembers } from '@kubeadmit/go';
import { type Shape, type StructType, zeroScalar } from '@kubeadmit/schemas/types';
import { policyStruct } from './policy-structs.ts';

/**
 * A part of a policy as Go's `encoding/json` writes it: fields in the order of their type, empty ones left out where the
 * type says so and zero where not, keys of maps sorted. `JSON.stringify` keeps the order.
 */
export function encodeStruct(value: JsonObject, { fields }: StructType): JsonObject {
  const object: JsonObject = {};
  for (const { name, shape, always } of fields) {
    const member = value[name];
    const isNil = member === undefined || member === null;
    if (!always && (isNil || (!shape.pointer && isEmpty(member)))) continue;
    object[name] = isNil ? zeroOf(shape) : encode(member, shape);
  }
  return object;
}

function encode(value: unknown, shape: Shape): unknown {
  if (value === undefined || value === null) return zeroOf(shape);
  const { kind, element, struct, choices = [], free } = shape;
  switch (kind) {
    case 'list':
      return Array.isArray(value) ? value.map((item) => encode(item, element as Shape)) : value;
    case 'map':
      return isObject(value) ? encodeMap(value, element as Shape) : value;
    case 'own': {
      const choice = choices.find((each) => (each.kind === 'list') === Array.isArray(value));
      return choice === undefined ? value : encode(value, choice);
    }
    case 'struct':
      return isObject(value) ? encodeStruct(value, policyStruct(struct as string)) : value;
    case 'any':
      // This type keeps the decoded value, all others the original text.
      return free === 'sorted' ? sortMembers(value) : value;
    default:
      return value;
  }
}

function encodeMap(value: JsonObject, values: Shape): JsonObject {
  const object: JsonObject = {};
  for (const key of sortedKeys(value)) setKey(object, key, encode(value[key], values));
  return object;
}

/** Structs, which are never empty, are always written. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === '' || value === 0 || value === false;
}

function zeroOf(shape: Shape): unknown {
  if (shape.pointer) return null;
  if (shape.kind === 'struct') return encodeStruct({}, policyStruct(shape.struct as string));
  return zeroScalar(shape) ?? null;
}
