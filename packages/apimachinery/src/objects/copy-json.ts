import { setKey } from '@kubeadmit/base';
import { isObject } from './json-object.ts';

/** A copy of lists and objects, all the way down; instances of classes, such as doubles, are shared. */
export function copyJson<Item>(value: Item): Item {
  return copy(value) as Item;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const copied = { ...value };
  for (const key of Object.keys(value)) {
    const inner = value[key];
    if (typeof inner === 'object' && inner !== null) setKey(copied, key, copy(inner));
  }
  return copied;
}
