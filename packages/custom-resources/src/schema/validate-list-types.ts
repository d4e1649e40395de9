import { isObject } from '@kubeadmit/apimachinery';
import { sortedKeys } from '@kubeadmit/go';
import { sortedJson } from '../values/go-value-text.ts';
import { kindOf, numberOf } from '../values/json-value.ts';
import { childPath, duplicate, type Finding, invalid, keyPath } from './finding.ts';
import { innerOf, listMapKeysOf, listTypeOf, propertyOf, type Schema, valuesOf } from './schema.ts';

/** Finds items that occur twice in lists of type `set` and `map` (apiextensions, `listtype`). */
export function validateListTypes(path: string, schema: Schema, value: unknown): Finding[] {
  if (Array.isArray(value)) return validateList(path, schema, value);
  if (!isObject(value)) return [];
  const findings: Finding[] = [];
  const values = valuesOf(schema);
  for (const key of values ? sortedKeys(value) : []) {
    findings.push(...validateListTypes(keyPath(path, key), values as Schema, value[key]));
  }
  for (const key of sortedKeys(value)) {
    const property = propertyOf(schema, key);
    if (property) findings.push(...validateListTypes(childPath(path, key), property, value[key]));
  }
  return findings;
}

function validateList(path: string, schema: Schema, list: readonly unknown[]): Finding[] {
  const findings: Finding[] = [];
  const type = listTypeOf(schema);
  if (type === 'set') {
    for (const index of secondOnes(list.map(identity))) {
      findings.push(duplicate(keyPath(path, index), list[index]));
    }
  } else if (type === 'map') findings.push(...validateKeys(path, schema, list));
  const items = innerOf(schema, 'items');
  list.forEach((item, index) => {
    if (items) findings.push(...validateListTypes(keyPath(path, index), items, item));
  });
  return findings;
}

function validateKeys(path: string, schema: Schema, list: readonly unknown[]): Finding[] {
  const wrong = list.findIndex((item) => item !== null && !isObject(item));
  if (wrong !== -1) {
    const detail = 'must be an object for an array of list-type map';
    return [invalid(keyPath(path, wrong), list[wrong], detail)];
  }
  const names = listMapKeysOf(schema);
  const keys = list.map((item) =>
    Object.fromEntries(
      names.flatMap((name) =>
        isObject(item) && Object.hasOwn(item, name) ? [[name, item[name]]] : [],
      ),
    ),
  );
  const [name = '', ...others] = names;
  const identities = keys.map(others.length === 0 ? (key) => singleIdentity(key, name) : identity);
  return secondOnes(identities).map((index) => duplicate(keyPath(path, index), keys[index]));
}

// A single key is compared by value and type, so that 2 is not 2.0; several keys are compared as JSON. A missing key
// equals no value.
function singleIdentity(key: Readonly<Record<string, unknown>>, name: string): string {
  return Object.hasOwn(key, name) ? identity(key[name]) : 'unspecified';
}

/** The indexes of items that occur for the second time; further repetitions are not included. */
function secondOnes(identities: readonly string[]): number[] {
  const seen = new Map<string, number>();
  return identities.flatMap((key, index) => {
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return times === 1 ? [index] : [];
  });
}

function identity(item: unknown): string {
  const kind = kindOf(item);
  if (kind === 'array' || kind === 'object') return sortedJson(item);
  return `${kind} ${kind === 'number' ? numberOf(item) : String(item)}`;
}
