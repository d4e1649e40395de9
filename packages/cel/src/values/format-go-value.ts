import { formatDuration, formatTime } from '@kubeadmit/go';
import { isConstantList } from './constant-list.ts';
import { CustomList } from './custom-list.ts';
import { formatCelValue } from './format-cel-value.ts';
import { isList, isMap } from './kind.ts';
import { mapGet, mapKeys } from './maps.ts';
import { Duration, OpaqueValue, Optional, Timestamp, TypeValue, type Value } from './value.ts';

/**
 * Prints a CEL value as Go's `%v` does where cel-go gives it the value itself: null is the number 0,
 * and `<nil>` within data; times are in the form of Go's time package.
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
    const isOfValues = value instanceof CustomList || isConstantList(value);
    return `[${Array.from(value, isOfValues ? formatGoValue : dataText).join(', ')}]`;
  }
  if (isMap(value)) {
    const entries = mapKeys(value).map(
      (key) => `${formatGoValue(key)}: ${formatGoValue(mapGet(value, key) ?? null)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  return formatCelValue(value);
}

function dataText(value: Value): string {
  return value === null ? '<nil>' : formatGoValue(value);
}
