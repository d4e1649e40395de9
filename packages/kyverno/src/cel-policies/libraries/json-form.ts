import type { JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { CelError, Double, Duration, Optional, Timestamp, Uint, type Value } from '@kubeadmit/cel';
import { isList, isMap, mapGet, mapKeys, StructValue } from '@kubeadmit/cel/values';
import { encodeBase64, formatRfc3339 } from '@kubeadmit/go';
import { toJson } from '../../jmespath/steps/to-json.ts';

/** JSON text of a CEL value, as Go's encoder writes it; an error for values without JSON. */
export function jsonTextOf(value: Value): string | CelError {
  const plain = plainOf(value);
  if (plain instanceof CelError) return plain;
  const text = toJson(plain);
  return typeof text === 'string' ? text : new CelError('json: unsupported value');
}

function plainOf(value: Value): unknown {
  if (value instanceof Double) return value.value;
  if (value instanceof Uint) return value.value;
  if (value instanceof CelError) return value;
  if (value instanceof Timestamp) return formatRfc3339(value);
  if (value instanceof Duration) return value.nanoseconds;
  if (value instanceof Optional) return plainOf(value.value ?? null);
  if (value instanceof StructValue) return new CelError(`json: unsupported type: ${value.type}`);
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (isList(value)) {
    const items = value.map(plainOf);
    return items.find((item) => item instanceof CelError) ?? items;
  }
  if (!isMap(value)) return value;
  const object: JsonObject = {};
  for (const key of mapKeys(value)) {
    if (typeof key !== 'string') {
      return new CelError('json: failed to convert CEL map to native map: unsupported key');
    }
    const member = plainOf(mapGet(value, key) ?? null);
    if (member instanceof CelError) return member;
    setKey(object, key, member);
  }
  return object;
}
