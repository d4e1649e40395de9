import { formatComposite, formatDuration, formatTime } from '@kubeadmit/go';
import { formatCelValue } from './format-cel-value.ts';
import { isList, isMap } from './kind.ts';
import { Lister } from './lister.ts';
import { mapGet, mapKeys } from './maps.ts';
import { isLiteral } from './origin.ts';
import { Duration, OpaqueValue, Optional, Timestamp, TypeValue, type Value } from './value.ts';

/**
 * Prints a CEL value as Go's `%v` prints the value that cel-go passes: null is the number 0, and `<nil>` within data;
 * times are in the form of Go's time package.
 */
export function formatGoValue(value: Value): string {
  if (value === null) return '0';
  if (value instanceof Timestamp) return formatTime(value);
  if (value instanceof Duration) return formatDuration(value.nanoseconds);
  if (value instanceof Optional && value.value !== undefined) {
    return `optional(${formatGoValue(value.value)})`;
  }
  if (value instanceof OpaqueValue || value instanceof TypeValue) return String(value);
  if (isList(value)) {
    const isOfValues = value instanceof Lister || isLiteral(value);
    return `[${Array.from(value, isOfValues ? formatGoValue : formatGoData).join(', ')}]`;
  }
  if (isMap(value)) {
    const entries = mapKeys(value).map(
      (key) => `${formatGoValue(key)}: ${formatGoValue(mapGet(value, key) ?? null)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  return formatCelValue(value);
}

/** Prints data in a list of data, which has Go's types and not CEL's, as `%v` does. */
export function formatGoData(value: Value): string {
  return formatComposite(value, (scalar) =>
    scalar === null ? '<nil>' : formatGoValue(scalar as Value),
  );
}
