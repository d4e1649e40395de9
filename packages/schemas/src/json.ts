import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/cel/set-key';
import { escapeJson, quoteJson } from '@kubeadmit/go';
import { sortedKeys } from '@kubeadmit/go/internal';
/**
 * The list that is nil to Go, of which there is but one: a list without elements to everything that reads it, but null
 * in JSON. Expressions make it of an empty list literal.
 */
export const nilList: readonly never[] = Object.freeze([]);

/** The own property of a key that a user chose. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a property whose key a user chose; `__proto__` is a key like any other. */
export const put: (object: JsonObject, key: string, value: unknown) => void = setKey;

/** The JSON text of a value, integers beyond 2^53 and whole doubles included. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (isObject(value)) {
    const entries = Object.keys(value).map(
      (key) => `${JSON.stringify(key)}:${jsonText(value[key])}`,
    );
    return `{${entries.join(',')}}`;
  }
  const number = wrappedNumber(value);
  if (number !== undefined) return writtenText(value) ?? numberText(number);
  return JSON.stringify(value);
}

/** The JSON text of a value as Go writes it, maps sorted. */
export function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (!isObject(value)) return escapeJson(jsonText(value));
  const entries = sortedKeys(value).map((key) => `${quoteJson(key)}:${goJson(value[key])}`);
  return `{${entries.join(',')}}`;
}

/** The number inside a wrapper object such as CEL's double. */
export function wrappedNumber(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || isObject(value)) return undefined;
  const inner = (value as { readonly value?: unknown }).value;
  return typeof inner === 'number' ? inner : undefined;
}

/** The text that a number was read from, where its wrapper keeps it: `1e3` is not `1000` to Go. */
function writtenText(value: unknown): string | undefined {
  const { text } = value as { readonly text?: unknown };
  return typeof text === 'string' ? text : undefined;
}

function numberText(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
