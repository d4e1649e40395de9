import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/go/internal';
import type { Shape } from '../types/shape.ts';
import type { Field, StructType, TypeStore } from '../types/type-store.ts';

/**
 * A value with the names of a struct's fields as the struct writes them: Go's `encoding/json`, unlike the decoder of
 * kube-apiserver, does not tell capital letters in them from small ones.
 */
export function foldNames(types: TypeStore, type: StructType, value: unknown): unknown {
  if (!isObject(value)) return value;
  const members: JsonObject = {};
  for (const key of Object.keys(value)) {
    const field = fieldOf(type, key);
    const member = value[key];
    setKey(members, field?.name ?? key, field ? foldWithin(types, field.shape, member) : member);
  }
  return members;
}

function fieldOf({ byName, fields }: StructType, key: string): Field | undefined {
  const folded = key.toLowerCase();
  return byName.get(key) ?? fields.find(({ name }) => name.toLowerCase() === folded);
}

function foldWithin(types: TypeStore, shape: Shape, value: unknown): unknown {
  const { kind, element, struct } = shape;
  if (kind === 'struct') return foldNames(types, types.get(struct as string) as StructType, value);
  if (kind === 'list' && Array.isArray(value)) {
    return value.map((item) => foldWithin(types, element as Shape, item));
  }
  if (kind !== 'map' || !isObject(value)) return value;
  const members: JsonObject = {};
  for (const key of Object.keys(value)) {
    setKey(members, key, foldWithin(types, element as Shape, value[key]));
  }
  return members;
}
