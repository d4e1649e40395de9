import { isObject } from '@kubeadmit/apimachinery';
import type { JsonFormat } from '@kubeadmit/go';

/** The form of JSON that error texts show: numbers as they were read. */
export const asRead: JsonFormat = { isAsRead: true };

/** The number inside a wrapper object such as CEL's double. */
export function wrappedNumber(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || isObject(value)) return undefined;
  const inner = (value as { readonly value?: unknown }).value;
  return typeof inner === 'number' ? inner : undefined;
}
