import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { quoteJson } from '@kubeadmit/go';
import { sortedKeys } from '@kubeadmit/go/internal';
import { Items } from './value.ts';

/**
 * A value as Go's JSON encoder writes it: keys sorted, no spaces, `<`, `>` and `&` as `\u003c`, `\u003e`, `\u0026`.
 *
 * NaN and infinities, which have no JSON, give undefined.
 */
export function toJsonText(value: unknown): string | undefined {
  const parts: string[] = [];
  return write(value, parts) ? parts.join('') : undefined;
}

function write(value: unknown, parts: string[]): boolean {
  switch (typeof value) {
    case 'string':
      parts.push(quoteJson(value));
      return true;
    case 'number':
      if (!Number.isFinite(value)) return false;
      parts.push(Object.is(value, -0) ? '-0' : String(value));
      return true;
    case 'bigint':
    case 'boolean':
      parts.push(String(value));
      return true;
    default:
      break;
  }
  if (value === null || value === undefined) {
    parts.push('null');
    return true;
  }
  if (value instanceof Items) return writeList(value.list, parts);
  if (Array.isArray(value)) return writeList(value, parts);
  return writeObject(isObject(value) ? value : {}, parts);
}

function writeList(list: readonly unknown[], parts: string[]): boolean {
  parts.push('[');
  for (let at = 0; at < list.length; at++) {
    if (at > 0) parts.push(',');
    if (!write(list[at], parts)) return false;
  }
  parts.push(']');
  return true;
}

function writeObject(object: JsonObject, parts: string[]): boolean {
  parts.push('{');
  let first = true;
  for (const key of sortedKeys(object)) {
    if (object[key] === undefined) continue;
    parts.push(first ? '' : ',', quoteJson(key), ':');
    first = false;
    if (!write(object[key], parts)) return false;
  }
  parts.push('}');
  return true;
}
