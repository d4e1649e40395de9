import { encodeBase64, formatRfc3339 } from '@kubeadmit/go';
import { formatConversionError } from './conversion-error.ts';
import { formatSeconds } from './format-seconds.ts';
import { doubleValue, isInt, isList, isMap, makeDouble } from './kind.ts';
import { CelMap } from './map.ts';
import { mapGet, mapKeys } from './maps.ts';
import { CelError, Duration, Optional, StructValue, Timestamp, Uint, type Value } from './value.ts';

const maximalSafe = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * The value as `google.protobuf.Value` holds it: all numbers are doubles, ints beyond ±(2^53 - 1),
 * bytes and times are strings. A `CelError` with cel-go's text where a value has no such form.
 */
export function toJsonValue(value: Value): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (isInt(value)) return integer(BigInt(value));
  if (doubleValue(value) !== undefined) return value;
  if (isList(value)) {
    const list = value.map(toJsonValue);
    return list.find((element) => element instanceof CelError) ?? list;
  }
  if (isMap(value)) {
    const map = new CelMap();
    for (const key of mapKeys(value)) {
      const entry =
        typeof key === 'string'
          ? toJsonValue(mapGet(value, key) ?? null)
          : new CelError(formatConversionError(key, 'string'));
      if (entry instanceof CelError) return entry;
      map.set(key, entry);
    }
    return map;
  }
  return special(value);
}

function special(value: Value): Value {
  if (value instanceof Uint) return integer(value.value);
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (value instanceof Timestamp) return formatRfc3339(value);
  if (value instanceof Duration) return formatSeconds(value.nanoseconds);
  if (value instanceof Optional && value.value !== undefined) return toJsonValue(value.value);
  if (value instanceof StructValue && value.type.name === 'google.protobuf.Empty') {
    return new CelMap();
  }
  return new CelError(formatConversionError(value, '*structpb.Value'));
}

function integer(value: bigint): Value {
  const isSafe = value >= -maximalSafe && value <= maximalSafe;
  return isSafe ? makeDouble(Number(value)) : String(value);
}
