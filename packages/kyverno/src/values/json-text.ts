import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { sortedKeys } from '@kubeadmit/go/internal';
import { Items } from './value.ts';

const needsEscape = /["\\\u0000-\u001f<>&\u2028\u2029\ud800-\udfff]/;

/**
 * A value as Go's JSON encoder writes it: keys sorted, no spaces, `<`, `>` and `&` as `\u003c`, `\u003e`, `\u0026`.
 *
 * NaN and infinities, which have no JSON, give undefined.
 */
export function toJsonText(value: unknown): string | undefined {
  const parts: string[] = [];
  return write(value, parts) ? parts.join('') : undefined;
}

/** A string as a Go JSON literal. */
function quoteJson(text: string): string {
  if (!needsEscape.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) quoted += escapes.get(character) ?? escapeOther(character);
  return `${quoted}"`;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function escapeOther(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  const escaped =
    code < 0x20 ||
    code === 0x3c ||
    code === 0x3e ||
    code === 0x26 ||
    code === 0x2028 ||
    code === 0x2029;
  return escaped ? `\\u${code.toString(16).padStart(4, '0')}` : character;
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
