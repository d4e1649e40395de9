import { isObject } from '@kubeadmit/apimachinery';
import { Double, type Value } from '@kubeadmit/cel';
import { mapMembers } from '../context/numbers.ts';

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
      return Array.isArray(value) || isObject(value)
        ? (mapMembers(value, toCelValue) as Value)
        : null;
  }
}
