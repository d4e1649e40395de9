import { isObject, type JsonObject } from '@kubeadmit/apimachinery';

/** Removes the parts of an object that a condition does not need, within a number of attempts. */
export function shrink(
  object: JsonObject,
  holds: (smaller: JsonObject) => boolean,
  mostTries = 400,
): JsonObject {
  let smallest = object;
  let tries = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of smallerThan(smallest)) {
      if (++tries > mostTries) return smallest;
      if (!holds(candidate as JsonObject)) continue;
      smallest = candidate as JsonObject;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

const head: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'name', 'namespace']);

/** The value with one part less, large parts first. */
function* smallerThan(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const at of value.keys()) yield value.toSpliced(at, 1);
    for (const [at, item] of value.entries()) {
      for (const smaller of smallerThan(item)) yield value.with(at, smaller);
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      if (head.has(key)) continue;
      const { [key]: _, ...rest } = value;
      yield rest;
    }
    for (const [key, item] of Object.entries(value)) {
      for (const smaller of smallerThan(item)) yield { ...value, [key]: smaller };
    }
  }
}
