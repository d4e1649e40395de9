import { isPlainObject, setKey } from '@kubeadmit/base';
import { sortedKeys } from '../text/compare.ts';

/** A copy of a value with the members of its objects in the order of their keys, as when Go has written and read it. */
export function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const key of sortedKeys(value)) setKey(copy, key, sortMembers(value[key]));
  return copy;
}
