import type { JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { CelError, Double, Uint, type Value } from '@kubeadmit/cel';
import { formatConversionError } from '@kubeadmit/cel/unstable-internal';
import { isInt, isList, isMap, mapGet, mapKeys, toJsonValue } from '@kubeadmit/cel/values';
import { Failure } from '../../jmespath/steps/failure.ts';

const greatestInt64 = 2n ** 63n - 1n;

/**
 * The JSON of a value that a placeholder of a template evaluates to (Kyverno's `celValueToNative`): numbers in lists and
 * maps are doubles.
 */
export function placeholderJson(value: Value): unknown {
  if (isInt(value)) return value;
  if (value instanceof Uint) {
    const { value: number } = value;
    if (number <= greatestInt64)
      return Number.isSafeInteger(Number(number)) ? Number(number) : number;
    return new Failure(`uint value ${number} overflows the supported integer range`);
  }
  const json = toJsonValue(value);
  return json instanceof CelError ? new Failure(json.message) : plain(json);
}

/** The objects in a list of maps, as Go's `structpb.Struct` holds them; a `CelError` for anything else. */
export function structObjects(list: Value): readonly JsonObject[] | CelError {
  const objects: JsonObject[] = [];
  for (const item of isList(list) ? list : []) {
    const json = isMap(item) ? toJsonValue(item) : wrongStruct(item);
    if (json instanceof CelError) return json;
    objects.push(plain(json) as JsonObject);
  }
  return objects;
}

function wrongStruct(value: Value): CelError {
  return value instanceof CelError
    ? value
    : new CelError(formatConversionError(value, '*structpb.Struct'));
}

function plain(value: Value): unknown {
  if (value instanceof Double) return value.value;
  if (isList(value)) return [...value].map(plain);
  if (!isMap(value)) return value;
  const object: JsonObject = {};
  for (const key of mapKeys(value)) setKey(object, String(key), plain(mapGet(value, key) ?? null));
  return object;
}
