import { formatFloat64, formatRfc3339 } from '@kubeadmit/go';
import { formatSeconds } from './format-seconds.ts';
import { doubleValue, isList, isMap } from './kind.ts';
import { mapGet, mapKeys } from './maps.ts';
import {
  CelError,
  Duration,
  OpaqueValue,
  Optional,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** Prints a value as Go's `%v` in cel-go's error texts: strings bare, lists as `[1, a]`. */
export function formatCelValue(value: Value): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
    case 'bigint':
      return String(value);
    default:
      break;
  }
  const double = doubleValue(value);
  if (double !== undefined) return formatFloat64(double);
  if (typeof value === 'number') return String(value);
  if (value === null) return 'null';
  if (value instanceof Uint) return String(value.value);
  if (isList(value)) return `[${value.map(formatCelValue).join(', ')}]`;
  if (isMap(value)) {
    const entries = mapKeys(value).map(
      (key) => `${formatCelValue(key)}: ${formatCelValue(mapGet(value, key) ?? null)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  return printSpecial(value);
}

function printSpecial(value: Value): string {
  if (value instanceof Uint8Array) return `[${[...value].join(' ')}]`;
  if (value instanceof Timestamp) return formatRfc3339(value);
  if (value instanceof Duration) return formatSeconds(value.nanoseconds);
  if (value instanceof Optional) {
    return value.value === undefined
      ? 'optional.none()'
      : `optional(${formatCelValue(value.value)})`;
  }
  if (value instanceof TypeValue) return value.named.name;
  if (value instanceof CelError) return value.message;
  return value instanceof OpaqueValue ? (value.text() ?? '') : '';
}
