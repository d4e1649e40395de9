import { isObject, type JsonObject } from '@kubeadmit/apimachinery';

/** The largest object that etcd stores, in bytes (`--max-request-bytes`). */
export const largestObject = 1_572_864;

/**
 * Returns an object in which the elements of outermost lists, labels and annotations are repeated so many times.
 *
 * Copies of named elements get distinct names.
 */
export function stretched(object: JsonObject, times: number): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      key,
      key === 'metadata' ? stretchedMetadata(value, times) : stretchedValue(value, times),
    ]),
  );
}

/** How many bytes an object is as JSON, with ASCII texts. */
export function sizeOf(object: JsonObject): number {
  return JSON.stringify(object, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  ).length;
}

function stretchedMetadata(metadata: unknown, times: number): unknown {
  if (!isObject(metadata)) return metadata;
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => [
      key,
      ['labels', 'annotations'].includes(key) ? stretchedMap(value, times) : value,
    ]),
  );
}

function stretchedMap(map: unknown, times: number): unknown {
  if (!isObject(map)) return map;
  const copies = Object.entries(map).flatMap(([key, value]) =>
    Array.from({ length: times - 1 }, (_, at) => [`${key}-${at}`, value] as const),
  );
  return { ...map, ...Object.fromEntries(copies) };
}

// Only the outermost lists grow: inner lists grow with the number of elements.
function stretchedValue(value: unknown, times: number): unknown {
  if (Array.isArray(value)) {
    return Array.from({ length: times }, (_, at) => value.map((item) => copyOf(item, at))).flat();
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, stretchedValue(item, times)]),
  );
}

function copyOf(item: unknown, at: number): unknown {
  if (at === 0 || !isObject(item)) return item;
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => [key, distinct(key, value, at)]),
  );
}

// Elements of keyed lists need distinct keys.
function distinct(key: string, value: unknown, at: number): unknown {
  if (typeof value === 'string') {
    if (key === 'name' || key === 'key') return `${value}-${at}`;
    return ['mountPath', 'devicePath', 'ip', 'topologyKey'].includes(key)
      ? `${value}/${at}`
      : value;
  }
  return typeof value === 'number' && ['containerPort', 'port'].includes(key) ? value + at : value;
}
