import { setKey } from '@kubeadmit/cel';

/** A copy of lists and plain objects, all the way down; other values, such as `Double`, are shared. */
export function copyJson<Item>(value: Item): Item {
  return copy(value) as Item;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) setKey(result, key, copy(member));
  return result;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
