import { Double } from '@kubeadmit/cel';
import { byteLength, formatFloat64 } from '@kubeadmit/go';
import { withinStack } from '@kubeadmit/go/unstable-internal';
import { keysOf, longestKey } from './yaml-keys.ts';
import { escaped, styleOf } from './yaml-strings.ts';

const bestWidth = 80;
const step = 2;

/**
 * YAML text of a JSON value as kube-apiserver and kubectl write it (sigs.k8s.io/yaml over goyaml.v2): keys in order,
 * lists no deeper than their key, quotes where they are needed, long texts folded at 80 columns.
 *
 * @throws TypeError for a value that is nested too deeply or contains itself.
 */
export function formatYaml(value: unknown): string {
  const writer = new Writer();
  withinStack(() => writer.node(value, 0, 'root'));
  const text = writer.text();
  return text.endsWith('\n') ? text : `${text}\n`;
}

/**
 * Like {@link formatYaml} of an object, in parts of about `length` characters, each produced on demand, so that a
 * long list is never in memory as text.
 */
export function* formatYamlParts(
  object: Readonly<Record<string, unknown>>,
  length: number,
): Generator<string, void, undefined> {
  const writer = new Writer();
  for (const _ of writer.members(object)) if (writer.length >= length) yield writer.take();
  const rest = writer.take() + writer.text();
  yield rest.endsWith('\n') ? rest : `${rest}\n`;
}

/** The position of a node: alone, after a key, or after the dash of a list. */
type Position = 'root' | 'member' | 'item';

interface ScalarPlace {
  /** The indentation of continuation lines. */
  readonly indent: number;
  readonly isKey: boolean;
}

class Writer {
  /** The lines before the one that is being written. */
  #lines: string[] = [];
  #line = '';
  /** Characters of the lines. */
  length = 0;

  text(): string {
    return [...this.#lines, this.#line].join('\n');
  }

  /** The finished lines with their breaks; they are forgotten. */
  take(): string {
    const text = this.#lines.map((line) => `${line}\n`).join('');
    this.#lines = [];
    this.length = 0;
    return text;
  }

  /** Writes an object; yields after each member and each item of its lists, so that the text so far can be taken. */
  *members(object: Readonly<Record<string, unknown>>): Generator<void, void, undefined> {
    const keys = keysOf(object);
    if (keys.length === 0) this.#put('{}');
    for (const [place, key] of keys.entries()) {
      if (place > 0) this.#newLine(0);
      this.#key(key, 0);
      const value = object[key];
      if (Array.isArray(value) && value.length > 0) {
        for (const item of value) {
          this.#item(item, 0);
          yield;
        }
      } else this.node(value, 0, 'member');
      yield;
    }
  }

  node(value: unknown, indent: number, position: Position): void {
    if (Array.isArray(value)) this.#list(value, indent, position);
    else if (isMapping(value)) this.#map(value, indent, position);
    else {
      if (position !== 'root') this.#put(' ');
      this.#scalar(value, { indent: indent + step, isKey: false });
    }
  }

  #list(items: readonly unknown[], indent: number, position: Position): void {
    if (items.length === 0) {
      this.#put(position === 'root' ? '[]' : ' []');
      return;
    }
    // A list behind a key is not deeper than the key.
    const own = position === 'item' ? indent + step : indent;
    for (const [place, item] of items.entries()) {
      const isFirst = place === 0;
      if (isFirst && position === 'item') this.#put(' ');
      if (isFirst && position !== 'member') {
        this.#put('-');
        this.node(item, own, 'item');
      } else this.#item(item, own);
    }
  }

  #item(item: unknown, indent: number): void {
    this.#newLine(indent);
    this.#put('-');
    this.node(item, indent, 'item');
  }

  #map(object: Readonly<Record<string, unknown>>, indent: number, position: Position): void {
    const keys = keysOf(object);
    if (keys.length === 0) {
      this.#put(position === 'root' ? '{}' : ' {}');
      return;
    }
    const own = position === 'root' ? indent : indent + step;
    for (const [place, key] of keys.entries()) {
      if (place === 0 && position === 'item') this.#put(' ');
      else if (place > 0 || position !== 'root') this.#newLine(own);
      this.#key(key, own);
      this.node(object[key], own, 'member');
    }
  }

  #key(key: string, indent: number): void {
    const isSimple = !key.includes('\n') && byteLength(key) <= longestKey;
    if (!isSimple) this.#put('? ');
    this.#scalar(key, { indent: indent + step, isKey: isSimple });
    if (!isSimple) this.#newLine(indent);
    this.#put(':');
  }

  #scalar(value: unknown, place: ScalarPlace): void {
    if (typeof value !== 'string') {
      this.#put(plainText(value));
      return;
    }
    const style = styleOf(value, place.isKey);
    if (style === 'literal') this.#literal(value, place.indent);
    else if (style === 'plain') this.#folded(value, place, false);
    else if (style === 'single') {
      this.#put("'");
      this.#folded(value, place, true);
      this.#put("'");
    } else this.#double(value, place);
  }

  #literal(value: string, indent: number): void {
    const hint = /^[ \n]/.test(value) ? String(step) : '';
    const chomp = value.endsWith('\n') ? (/(?:^|\n)\n$/.test(value) ? '+' : '') : '-';
    this.#put(`|${hint}${chomp}`);
    const body = value.endsWith('\n') ? value.slice(0, -1) : value;
    for (const line of body.split('\n')) {
      if (line === '') this.#newLine(0);
      else {
        this.#newLine(indent);
        this.#put(line);
      }
    }
    // The line ends when the next one begins.
  }

  #folded(value: string, { indent, isKey }: ScalarPlace, isQuoted: boolean): void {
    if (isKey || !value.includes(' ')) {
      this.#put(isQuoted ? value.replaceAll("'", "''") : value);
      return;
    }
    let isAfterSpace = false;
    for (let i = 0; i < value.length; i++) {
      const character = value[i] ?? '';
      const isSpace = character === ' ';
      const mayBreak = !isQuoted || (i > 0 && i < value.length - 1);
      if (
        isSpace &&
        !isAfterSpace &&
        mayBreak &&
        value[i + 1] !== ' ' &&
        this.#column() > bestWidth
      ) {
        this.#newLine(indent);
      } else this.#put(isQuoted && character === "'" ? "''" : character);
      isAfterSpace = isSpace;
    }
  }

  #double(value: string, { indent, isKey }: ScalarPlace): void {
    this.#put('"');
    const characters = [...value];
    let isAfterSpace = false;
    for (const [i, character] of characters.entries()) {
      const isSpace = character === ' ';
      const isWithin = i > 0 && i < characters.length - 1;
      if (isSpace && !isKey && !isAfterSpace && isWithin && this.#column() > bestWidth) {
        this.#newLine(indent);
        if (characters[i + 1] === ' ') this.#put('\\');
      } else this.#put(escaped(character));
      isAfterSpace = isSpace;
    }
    this.#put('"');
  }

  #put(text: string): void {
    this.#line += text;
  }

  #newLine(indent: number): void {
    this.#lines.push(this.#line);
    this.length += this.#line.length;
    this.#line = ' '.repeat(indent);
  }

  #column(): number {
    return [...this.#line].length;
  }
}

function plainText(value: unknown): string {
  if (value instanceof Double) return formatFloat64(value.value);
  if (typeof value === 'number') {
    return Number.isInteger(value) ? String(value) : formatFloat64(value);
  }
  return value === null || value === undefined ? 'null' : String(value);
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !(value instanceof Double);
}
