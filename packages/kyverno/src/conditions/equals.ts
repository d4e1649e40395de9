import { isObject } from '@kubeadmit/apimachinery';
import { compareQuantities, quantityOf } from '@kubeadmit/apimachinery/quantity';
import { deepEqual } from '@kubeadmit/go';
import { matchesWildcard } from '../match/wildcard.ts';
import { durationPair } from '../patterns/durations.ts';
import { isFloat, isInteger } from '../patterns/scalar.ts';

/** The operator `Equals`; undefined for a key that is null, of which neither it nor `NotEquals` is true. */
export function equals(key: unknown, value: unknown): boolean | undefined {
  switch (typeof key) {
    case 'string':
      return textEquals(key, value);
    case 'number':
      return isFloat(value, key);
    case 'bigint':
      return isInteger(value, key);
    case 'boolean':
      return key === value;
    default:
      break;
  }
  if (Array.isArray(key)) return Array.isArray(value) && deepEqual(key, value);
  return isObject(key) ? isObject(value) && deepEqual(key, value) : undefined;
}

function textEquals(key: string, value: unknown): boolean {
  const durations = durationPair(key, value);
  if (durations !== undefined) return durations[0] === durations[1];
  if (typeof value !== 'string') return false;
  const quantity = quantityOf(key);
  if (quantity === undefined) return matchesWildcard(value, key);
  const other = quantityOf(value);
  return other !== undefined && compareQuantities(quantity, other) === 0;
}
