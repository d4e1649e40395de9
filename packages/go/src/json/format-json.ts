import { isPlainObject } from '@kubeadmit/base';
import { withinStack } from '../limits/within-stack.ts';
import { formatFloat64 } from '../number/format-float.ts';
import { sortedKeys } from '../text/compare.ts';

/** How JSON is laid out. */
export interface JsonFormat {
  /** Whether keys stand in the order of their code points, as Go writes a map, and not in their own. */
  readonly isSorted?: boolean;
  /** Spaces a level; all on one line without. */
  readonly indent?: number;
  /** Whether doubles keep the form in which they were read: `1.0`, or the `text` that their wrapper has. */
  readonly isAsRead?: boolean;
}

/** A value that has no JSON form; the message is Go's, such as `json: unsupported value: NaN`. */
export class JsonFormError extends TypeError {}

/**
 * Formats a value as Go's `json.Marshal`: every digit of integers, `1` for the double 1, `<`, `>`, `&` and the two
 * line separators of Unicode as `\u003c` and so on, lone surrogates as `\ufffd`.
 *
 * Members keep their order unless `isSorted` is set; undefined ones are omitted. Instances of classes are written
 * by their `toJSON`.
 *
 * @throws JsonFormError for an instance without `toJSON`, NaN and infinities; TypeError for a value that is nested
 * too deeply or contains itself
 */
export function formatJson(value: unknown, format: JsonFormat = {}): string {
  return escapeJson(stringifyJson(value, format));
}

/** As {@link formatJson}, with characters as they are: JSON for other programs than Go's. */
export function stringifyJson(value: unknown, format: JsonFormat = {}): string {
  const { isSorted = false, indent = 0, isAsRead = false } = format;
  return withinStack(() =>
    !isSorted && isPlain(value)
      ? (JSON.stringify(value, undefined, indent) ?? 'null')
      : new Writer(isSorted, indent, isAsRead).write(value, ''),
  );
}

/** Formats a string as Go's encoding/json does. */
export function quoteJson(text: string): string {
  return escapeJson(JSON.stringify(text));
}

const concerned = /[<>&\u2028\u2029]|\\ud[89a-f]/;
// Escapes are taken whole, so that a backslash that is escaped itself begins none.
const escapes = /\\(?:ud[89a-f][0-9a-f]{2}|.)|[<>&\u2028\u2029]/g;

function escapeJson(json: string): string {
  if (!concerned.test(json)) return json;
  return json.replace(escapes, (found) => {
    if (found.startsWith('\\ud')) return '\\ufffd';
    return found.startsWith('\\')
      ? found
      : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Whether `JSON.stringify` writes a value as Go does: no bigint, no class, no number with a special form. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isPlain);
  if (!isPlainObject(value)) return false;
  for (const key of Object.keys(value)) if (!isPlain(value[key])) return false;
  return true;
}

class Writer {
  readonly #isSorted: boolean;
  readonly #indent: string;
  readonly #isAsRead: boolean;

  constructor(isSorted: boolean, indent: number, isAsRead: boolean) {
    this.#isSorted = isSorted;
    this.#indent = ' '.repeat(indent);
    this.#isAsRead = isAsRead;
  }

  write(value: unknown, margin: string): string {
    switch (typeof value) {
      case 'string':
        return JSON.stringify(value);
      case 'number':
        return formatNumber(value);
      case 'bigint':
      case 'boolean':
        return String(value);
      default:
        break;
    }
    if (value === null || value === undefined) return 'null';
    if (Array.isArray(value)) return this.#list(value, margin);
    if (isPlainObject(value)) return this.#object(value, margin);
    return this.#instance(value, margin);
  }

  #list(list: readonly unknown[], margin: string): string {
    const items = Array.from(list, (item) => this.write(item, margin + this.#indent));
    return this.#enclose('[', items, ']', margin);
  }

  #object(object: { readonly [key: string]: unknown }, margin: string): string {
    const separator = this.#indent === '' ? ':' : ': ';
    const members: string[] = [];
    for (const key of this.#isSorted ? sortedKeys(object) : Object.keys(object)) {
      const member = object[key];
      if (member === undefined) continue;
      members.push(JSON.stringify(key) + separator + this.write(member, margin + this.#indent));
    }
    return this.#enclose('{', members, '}', margin);
  }

  #instance(value: unknown, margin: string): string {
    const instance = value as { readonly toJSON?: () => unknown; readonly text?: unknown };
    if (typeof instance.toJSON !== 'function') {
      throw new JsonFormError('the value has no JSON form');
    }
    const form = instance.toJSON();
    if (!this.#isAsRead || typeof form !== 'number') return this.write(form, margin);
    if (typeof instance.text === 'string') return instance.text;
    return Number.isInteger(form) ? `${formatNumber(form)}.0` : formatNumber(form);
  }

  #enclose(open: string, items: readonly string[], close: string, margin: string): string {
    if (items.length === 0 || this.#indent === '') return open + items.join(',') + close;
    const inner = `\n${margin}${this.#indent}`;
    return `${open}${inner}${items.join(`,${inner}`)}\n${margin}${close}`;
  }
}

function formatNumber(value: number): string {
  if (!Number.isFinite(value)) {
    throw new JsonFormError(`json: unsupported value: ${formatFloat64(value)}`);
  }
  return Object.is(value, -0) ? '-0' : String(value);
}
