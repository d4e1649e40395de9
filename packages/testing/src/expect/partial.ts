import { deepEqual, stringifyJson } from '@kubeadmit/go';
import { isRecord } from '@kubeadmit/manifest';
import type { Json } from '@kubeadmit/mutator';
import { pathText } from '../format/check-shape.ts';

type Path = readonly (string | number)[];

/**
 * Returns a sentence for each difference between a value and its expectation: maps may have more fields, elements of
 * lists that have a `name` are found by it, other lists have the same length; null expects an absent field.
 */
export function differences(
  actual: unknown,
  expected: unknown,
  path: Path = [],
): readonly string[] {
  if (isRecord(expected)) {
    if (!isRecord(actual)) return [difference(path, actual, expected)];
    return Object.entries(expected).flatMap(([key, value]) => {
      const inner = [...path, key];
      const there = Object.hasOwn(actual, key) ? actual[key] : undefined;
      if (value !== null) return differences(there, value, inner);
      return there === undefined || there === null ? [] : [difference(inner, there, undefined)];
    });
  }
  if (!Array.isArray(expected)) {
    return deepEqual(actual as Json, expected as Json) ? [] : [difference(path, actual, expected)];
  }
  if (!Array.isArray(actual)) return [difference(path, actual, expected)];
  if (expected.length > 0 && expected.every(hasName)) {
    return expected.flatMap((element) => {
      const at = actual.findIndex((one) => hasName(one) && one['name'] === element['name']);
      const inner = [...path, at === -1 ? String(element['name']) : at];
      return differences(at === -1 ? undefined : actual[at], element, inner);
    });
  }
  if (actual.length !== expected.length) return [difference(path, actual, expected)];
  return expected.flatMap((element, at) => differences(actual[at], element, [...path, at]));
}

function hasName(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && typeof value['name'] === 'string';
}

function difference(path: Path, actual: unknown, expected: unknown): string {
  const where = path.length === 0 ? 'the object' : pathText(path);
  return `${where} is ${shown(actual)}, expected ${shown(expected)}`;
}

const longest = 300;

function shown(value: unknown): string {
  if (value === undefined) return 'absent';
  const text = stringifyJson(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
