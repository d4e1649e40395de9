import { Double } from '@kubeadmit/cel';
import { compareText, quote } from '@kubeadmit/go';
import type { MergeList } from '@kubeadmit/schemas/merge';
import {
  GoValue,
  isList,
  isNumber,
  isObject,
  memberOf,
  numberText,
  type PatchObject,
  type PatchValue,
} from './patch-value.ts';

/** The identity of an element of a keyed list or a set. */
export interface ElementKey {
  /** Equal for elements that are the same. */
  readonly id: string;
  /** The path element in texts: `[port=80,protocol="TCP"]`, `[="x"]`. */
  readonly text: string;
}

/** The key of an element, or the error. */
export type ElementKeyResult = ElementKey | { readonly error: string };

/** Computes the key of an element (structured-merge-diff, listItemToPathElement). */
export function elementKey(list: MergeList, element: PatchValue): ElementKeyResult {
  return list.keys.length === 0 ? setKey(element) : keyedKey(list, element);
}

/**
 * Returns an id that is equal for elements with the same key, or `undefined` if the element has no key.
 *
 * A string that is the only key is distinguished from other keys by a leading quote.
 */
export function elementId(list: MergeList, element: PatchValue): string | undefined {
  const { keys } = list;
  if (keys.length === 0) return isPlain(element) ? identity(element) : undefined;
  if (!isObject(element)) return undefined;
  if (keys.length === 1) {
    const value = keyOf(list, element, keys[0] as string);
    if (typeof value === 'string') return `"${value}`;
    return value === undefined ? undefined : identity(value);
  }
  const fields = keyFields(list, element);
  return fields.length === 0 ? undefined : joined(fields, identity);
}

function setKey(element: PatchValue): ElementKeyResult {
  if (isObject(element)) {
    return { error: "associative list without keys has an element that's a map type" };
  }
  if (isList(element)) return { error: 'not supported: associative list with lists as elements' };
  if (element === null) {
    return { error: "associative list without keys has an element that's an explicit null" };
  }
  return { id: identity(element), text: `[=${valueText(element)}]` };
}

function isPlain(element: PatchValue): boolean {
  return element !== null && !isObject(element) && !isList(element);
}

function keyedKey(list: MergeList, element: PatchValue): ElementKeyResult {
  if (element === null) return { error: 'associative list with keys may not have a null element' };
  if (!isObject(element)) {
    return { error: 'associative list with keys may not have non-map elements' };
  }
  const fields = keyFields(list, element);
  if (fields.length === 0) {
    const names = list.keys.map(quote).join(' ');
    return {
      error: `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    };
  }
  return { id: elementId(list, element) ?? '', text: `[${joined(fields, valueText)}]` };
}

type KeyField = readonly [name: string, value: PatchValue];

function keyFields(list: MergeList, element: PatchObject): KeyField[] {
  const fields: KeyField[] = [];
  for (const name of list.keys) {
    const value = keyOf(list, element, name);
    if (value !== undefined) fields.push([name, value]);
  }
  return fields.sort(([a], [b]) => compareText(a, b));
}

// An element may have null as its key; a default of null stands for an absent default.
function keyOf(list: MergeList, element: PatchObject, name: string): PatchValue | undefined {
  const own = memberOf(element, name);
  return own === undefined ? (list.element.map?.field(name)?.default ?? undefined) : own;
}

function joined(fields: readonly KeyField[], textOf: (value: PatchValue) => string): string {
  return fields.map(([name, value]) => `${name}=${textOf(value)}`).join(',');
}

function identity(value: PatchValue): string {
  if (isNumber(value)) return String(numberOf(value));
  if (value instanceof GoValue) return 'undefined';
  if (isList(value)) return `[${value.map(identity).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort(compareText);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${identity(value[key] ?? null)}`).join(',')}}`;
}

function valueText(value: PatchValue): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return quote(value);
  if (isNumber(value)) return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (isList(value)) return `[${value.map(valueText).join(',')}]`;
  if (value instanceof GoValue) return '{{undefined}}';
  if (!isObject(value)) return '';
  return Object.entries(value)
    .map(([key, member]) => `${key}=${valueText(member)}`)
    .join('');
}

function numberOf(value: number | bigint | Double): number | bigint {
  return value instanceof Double ? value.value : value;
}
