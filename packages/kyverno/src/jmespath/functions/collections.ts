import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import {
  deepEqual,
  formatFloat32Plain,
  formatFloat64,
  readJson,
  readYaml,
  sortedKeys,
} from '@kubeadmit/go';
import { Failure } from '../steps/failure.ts';
import { Items } from '../steps/items.ts';
import type { FunctionEntry } from '../steps/step.ts';
import { define } from './define.ts';
import { functionFailure, wrongType } from './errors.ts';

/** Kyverno's functions on lists and objects, and those that read them from text. */
export const collectionFunctions: ReadonlyMap<string, FunctionEntry> = new Map([
  define('label_match', ['object', 'object'], isContained),
  define(
    'lookup',
    [
      ['object', 'array'],
      ['string', 'number'],
    ],
    lookup,
  ),
  define('items', [['object', 'array'], 'string', 'string'], items),
  define('object_from_lists', ['array', 'array'], objectFromLists),
  define('parse_json', ['string'], (text) => parsed(readJson(text))),
  define('parse_yaml', ['string'], (text) => parsed(readYaml(text))),
]);

function parsed(reading: { readonly value: unknown } | { readonly error: string }): unknown {
  return 'error' in reading ? new Failure(reading.error) : reading.value;
}

function isContained(expected: JsonObject, actual: JsonObject): boolean {
  return Object.keys(expected).every(
    (key) => Object.hasOwn(actual, key) && deepEqual(actual[key], expected[key]),
  );
}

function lookup(where: unknown, key: string | number): unknown {
  if (isObject(where)) {
    if (typeof key !== 'string') return wrongType('lookup', 2, 'String');
    return Object.hasOwn(where, key) ? where[key] : null;
  }
  if (!Array.isArray(where)) return wrongType('lookup', 1, 'Object or Array');
  if (typeof key !== 'number') return wrongType('lookup', 2, 'Number');
  if (!Number.isInteger(key)) {
    return functionFailure(
      'lookup',
      `argument #2: expected an integer number but got: ${formatFloat64(key)}`,
    );
  }
  if (Math.abs(key) >= 2 ** 63 && key !== -(2 ** 63)) {
    return functionFailure(
      'lookup',
      `argument #2: number is outside the range of integer numbers: ${formatFloat64(key)}`,
    );
  }
  return where[key] ?? null;
}

function items(value: unknown, keyName: string, valueName: string): unknown {
  const pairs = pairsOf(value);
  if (pairs === undefined) return wrongType('items', 1, 'Object or Array');
  return new Items(
    pairs.map(([key, item]) => {
      const object: JsonObject = {};
      setKey(object, keyName, key);
      setKey(object, valueName, item);
      return object;
    }),
  );
}

function pairsOf(value: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (Array.isArray(value)) return value.map((item, at) => [at, item]);
  return isObject(value) ? sortedKeys(value).map((key) => [key, value[key]]) : undefined;
}

function objectFromLists(keys: unknown, values: unknown): unknown {
  if (!Array.isArray(keys)) return wrongType('object_from_lists', 1, 'Array');
  if (!Array.isArray(values)) return wrongType('object_from_lists', 2, 'Array');
  const object: JsonObject = {};
  for (const [at, key] of keys.entries()) {
    const text = keyText(key);
    if (text === undefined) return wrongType('object_from_lists', 1, 'StringArray');
    setKey(object, text, values[at] ?? null);
  }
  return object;
}

function keyText(key: unknown): string | undefined {
  if (typeof key === 'number') return formatFloat32Plain(key);
  return typeof key === 'string' || typeof key === 'boolean' || typeof key === 'bigint'
    ? String(key)
    : undefined;
}
