import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { Double, type Value } from '@kubeadmit/cel';
import { setKey } from '@kubeadmit/go/internal';

/** A value of the engine as CEL sees it: doubles with integral values stay doubles, int64 become ints. */
export function toCelValue(value: unknown): Value {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? new Double(value) : value;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case 'string':
    case 'boolean':
      return value;
    default:
      break;
  }
  if (Array.isArray(value)) return value.map(toCelValue);
  if (!isObject(value)) return null;
  const object: JsonObject = {};
  for (const key of Object.keys(value)) setKey(object, key, toCelValue(value[key]));
  return object as Value;
}
