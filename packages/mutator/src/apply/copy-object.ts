import { setKey } from '@kubeadmit/base';

/**
 * A copy of an object: the members are the same values.
 *
 * Spreading takes twice the time where objects of many shapes come by.
 */
export function copyObject<Value>(object: Readonly<Record<string, Value>>): Record<string, Value> {
  const copy: Record<string, Value> = {};
  for (const key of Object.keys(object)) setKey(copy, key, object[key] as Value);
  return copy;
}
