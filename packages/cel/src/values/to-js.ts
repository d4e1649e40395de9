import { setKey } from '@kubeadmit/base';
import { formatRfc3339 } from '@kubeadmit/go';
import { formatSeconds } from './format-seconds.ts';
import { isList, isMap } from './kind.ts';
import { CelMap } from './map.ts';
import { mapGet, mapKeys } from './maps.ts';
import { isValueAlready } from './to-cel.ts';
import {
  CelError,
  Double,
  Duration,
  Optional,
  StructValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts';

/** How values of CEL become values of JavaScript. */
export interface ToJsOptions {
  /** Integers: numbers where they are exact and bigints beyond (`number`, the default), or always bigints. */
  readonly ints?: 'number' | 'bigint';
  /** Timestamps: `Date` (the default), which has milliseconds, or RFC 3339 with all nanoseconds. */
  readonly timestamps?: 'date' | 'text';
  /** Durations: the `Duration` itself (the default), with nanoseconds, or a text such as `1.5s`. */
  readonly durations?: 'value' | 'text';
  /**
   * Maps: objects where all keys are strings and otherwise a `Map` (`object`, the default), or always a `Map`.
   */
  readonly maps?: 'object' | 'map';
}

/**
 * Converts a CEL value to JavaScript: numbers, strings, booleans, null, `Uint8Array`, `Date`, arrays, objects.
 *
 * Lists and maps are copied only if something in them changes. An optional becomes its value or `undefined`; a type
 * becomes its name.
 *
 * @throws TypeError for a `CelError`
 */
export function toJs(value: Value, options: ToJsOptions = {}): unknown {
  if (typeof value === 'number') {
    return options.ints === 'bigint' && Number.isInteger(value) ? BigInt(value) : value;
  }
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (options.ints !== 'bigint' && options.maps !== 'map' && isValueAlready(value)) return value;
  if (isList(value)) return listToJs(value, options);
  return isMap(value) ? mapToJs(value, options) : specialToJs(value, options);
}

/** The same, but the error itself for an error. */
export function toJsOrError(value: Value, options?: ToJsOptions): unknown {
  return value instanceof CelError ? value : toJs(value, options);
}

function listToJs(list: readonly Value[], options: ToJsOptions): readonly unknown[] {
  for (let index = 0; index < list.length; index++) {
    const element = list[index] as Value;
    const value = toJs(element, options);
    if (Object.is(value, element)) continue;
    const copy: unknown[] = list.slice(0, index);
    copy.push(value);
    for (const later of list.slice(index + 1)) copy.push(toJs(later, options));
    return copy;
  }
  return list;
}

function mapToJs(map: Parameters<typeof mapKeys>[0], options: ToJsOptions): unknown {
  const keys = mapKeys(map);
  if (options.maps === 'map' || keys.some((key) => typeof key !== 'string')) {
    return new Map(
      keys.map((key) => [toJs(key, options), toJs(mapGet(map, key) ?? null, options)]),
    );
  }
  const copy: Record<string, Value> = {};
  let isUnchanged = !(map instanceof CelMap);
  for (const key of keys as readonly string[]) {
    const given = mapGet(map, key);
    const value = given === undefined ? undefined : toJs(given, options);
    isUnchanged &&= Object.is(given, value);
    if (value !== undefined) setKey(copy, key, value as Value);
  }
  return isUnchanged ? map : copy;
}

function specialToJs(value: Value, options: ToJsOptions): unknown {
  if (value instanceof CelError) {
    throw new TypeError(`cannot convert a CEL error to JavaScript: ${value.message}`);
  }
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) {
    const small = Number(value.value);
    return options.ints === 'bigint' || !Number.isSafeInteger(small) ? value.value : small;
  }
  if (value instanceof Timestamp) {
    if (options.timestamps === 'text') return formatRfc3339(value);
    return new Date(value.seconds * 1000 + Math.floor(value.nanoseconds / 1_000_000));
  }
  if (value instanceof Duration) {
    return options.durations === 'text' ? formatSeconds(value.nanoseconds) : value;
  }
  if (value instanceof Optional) {
    return value.value === undefined ? undefined : toJs(value.value, options);
  }
  if (value instanceof TypeValue) return String(value);
  return value instanceof StructValue && value.host !== undefined ? value.host : value;
}
