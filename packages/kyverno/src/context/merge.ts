import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';

/** A copy of an object with the members of another merged in; maps merge key by key, all else replaces. */
export function merged(base: JsonObject, addition: JsonObject): JsonObject {
  const result: JsonObject = { ...base };
  for (const key of Object.keys(addition)) {
    const value = addition[key];
    const old = Object.hasOwn(base, key) ? base[key] : undefined;
    setKey(result, key, isObject(value) && isObject(old) ? merged(old, value) : value);
  }
  return result;
}

/** The value inside nested maps, one for each key. */
export function nested(keys: readonly string[], value: unknown): unknown {
  return keys.reduceRight<unknown>((inner, key) => {
    const object: JsonObject = {};
    setKey(object, key, inner);
    return object;
  }, value);
}

/** The parts of a dotted name; a part in double quotes may hold dots. */
export function splitDottedName(name: string): readonly string[] {
  const parts = name.match(/"(?:[^"]|"")*"(?=\.|$)|[^.]+|(?<=^|\.)(?=\.|$)/g) ?? [''];
  return parts.map((part) =>
    part.startsWith('"') && part.endsWith('"') && part.length > 1
      ? part.slice(1, -1).replaceAll('""', '"')
      : part,
  );
}
