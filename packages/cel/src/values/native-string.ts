import { Optional, TypeValue, type Value } from './value.ts';

/**
 * The string inside a value of cel-go (`Val.Value()`): that of a string, the name of a type, or the content of an
 * optional. Functions with a constant pattern read it without a check of the value's type.
 */
export function nativeStringOf(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Optional) {
    return value.value === undefined ? undefined : nativeStringOf(value.value);
  }
  return value instanceof TypeValue ? value.named.name : undefined;
}
