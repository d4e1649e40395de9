import { Optional, TypeValue, type Value } from './value.ts';

/**
 * The string that a value of cel-go holds (`Val.Value()`), which functions with a pattern known ahead ask for without
 * asking for the value's type: that of a string, the name of a type, or what an optional holds.
 */
export function nativeStringOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Optional) {
    return value.value === undefined ? undefined : nativeStringOf(value.value);
  }
  return value instanceof TypeValue ? value.named.name : undefined;
}
