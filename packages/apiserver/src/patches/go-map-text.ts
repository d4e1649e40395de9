import { isObject } from '@kubeadmit/apimachinery';
import { formatValue } from '@kubeadmit/go';

/** A JSON value as Go's `%v` prints it where whole numbers were read as integers: `map[a:1 b:[x y]]`. */
export function goMapText(value: unknown): string {
  return formatValue(withIntegers(value));
}

function withIntegers(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(withIntegers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, withIntegers(own)]));
}
