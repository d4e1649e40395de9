import { Optional, TypeValue, type Value } from './value.ts';

/**
 * The text that a value has in Go, which functions with a pattern known ahead ask for without
 * asking for the value's type: that of a string, of the name of a type, or of what an optional holds.
 */
export function stringValueOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Optional) {
    return value.value === undefined ? undefined : stringValueOf(value.value);
  }
  return value instanceof TypeValue ? value.named.name : undefined;
}
