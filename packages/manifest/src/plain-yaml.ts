import { setKey } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { readFlow } from './plain-flow.ts';
import { plainText, quotedText, Unusual } from './plain-scalar.ts';
import { resolveKey, resolveScalar } from './yaml-scalar.ts';

/** The value of a text and where it begins. */
export interface PlainDocument {
  readonly value: Value;
  readonly start: number;
}

/**
 * Space other than spaces and line feeds, characters that are not allowed, and the signs that begin a line with a
 * meaning for the whole text.
 */
const unusualText =
  /[^\S \n]|[\0-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]|^(?:---|\.\.\.|%)/mu;

/** Nesting beyond which a text is left to the parser. */
const deepest = 200;

/**
 * Reads YAML as most manifests are written, several times as fast as the complete YAML parser: block mappings and
 * sequences, scalars on one line, block scalars, and flow collections on one line.
 *
 * Returns undefined for everything else, and for everything that may be wrong. Its results equal those of the parser,
 * which tests compare. It exists for its speed alone: `kubeadmit test` takes half the time with it.
 */
export function readPlainYaml(text: string): PlainDocument | undefined {
  if (unusualText.test(text)) return undefined;
  try {
    return new Reader(text).read();
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

const keyText = /^[A-Za-z0-9_.$(+~^=<][\w./$()+~^=<>*? -]*$/;

class Reader {
  readonly #lines: readonly string[];
  /** Each line from its first character that is not a space. */
  readonly #contents: string[] = [];
  /** Where the content of each line begins; -1 for lines that are empty or a comment. */
  readonly #indents: number[] = [];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
    for (let at = 0; at < this.#lines.length; at++) {
      const line = this.#lines[at] ?? '';
      const content = line.trimStart();
      const isEmpty = content === '' || content.startsWith('#');
      this.#contents.push(content);
      this.#indents.push(isEmpty ? -1 : line.length - content.length);
    }
  }

  read(): PlainDocument {
    this.#skipEmpty();
    const first = this.#at;
    const indent = this.#indents[first];
    if (indent === undefined) throw new Unusual();
    const start = this.#lines.slice(0, first).reduce((sum, line) => sum + line.length + 1, indent);
    const value = this.#block(indent);
    if (this.#at < this.#lines.length) throw new Unusual();
    // The places of the items of a List are known to the parser.
    if (!Array.isArray(value) && Object.hasOwn(value, 'items')) throw new Unusual();
    return { value, start };
  }

  #skipEmpty(): void {
    while (this.#indents[this.#at] === -1) this.#at++;
  }

  #block(indent: number): Value[] | Record<string, Value> {
    if (++this.#depth > deepest) throw new Unusual();
    const content = this.#contents[this.#at] ?? '';
    const value = isItem(content) ? this.#sequence(indent) : this.#mapping(indent, undefined);
    this.#depth--;
    return value;
  }

  /** A mapping whose keys share a column; its first entry may follow the dash of an item. */
  #mapping(indent: number, behindDash: Entry | undefined): Record<string, Value> {
    const object: Record<string, Value> = {};
    let first = behindDash;
    for (;;) {
      let entry = first;
      if (entry === undefined) {
        if (!this.#continues(indent)) return object;
        const content = this.#contents[this.#at] ?? '';
        if (isItem(content)) throw new Unusual();
        entry = entryOf(content);
      }
      first = undefined;
      const { key, rest } = entry;
      if (Object.hasOwn(object, key)) throw new Unusual();
      this.#at++;
      setKey(object, key, this.#value(rest, indent, true));
    }
  }

  #sequence(indent: number): Value[] {
    const items: Value[] = [];
    while (this.#continues(indent)) {
      const content = this.#contents[this.#at] ?? '';
      if (!isItem(content)) break;
      items.push(this.#item(content, indent));
    }
    return items;
  }

  #item(content: string, indent: number): Value {
    const rest = content.slice(1).trimStart();
    if (rest === '' || rest.startsWith('#')) {
      this.#at++;
      return this.#value('', indent, false);
    }
    if (isItem(rest)) throw new Unusual();
    if (knownEntries.has(rest) || isKey(rest)) {
      if (++this.#depth > deepest) throw new Unusual();
      const mapping = this.#mapping(indent + content.length - rest.length, entryOf(rest));
      this.#depth--;
      return mapping;
    }
    this.#at++;
    return this.#value(rest, indent, false);
  }

  /**
   * Whether the next content starts in a column; content further to the right has a form that this reader does not
   * support.
   */
  #continues(indent: number): boolean {
    this.#skipEmpty();
    const next = this.#indents[this.#at];
    if (next === undefined || next < indent) return false;
    if (next > indent) throw new Unusual();
    return true;
  }

  /** Reads the value after a key or dash; the parent starts in the column `indent`. */
  #value(rest: string, indent: number, isInMapping: boolean): Value {
    if (rest === '') return this.#nested(indent, isInMapping);
    const known = knownScalars.get(rest);
    if (known !== undefined) return known;
    const first = rest[0];
    if (first === '#') return this.#nested(indent, isInMapping);
    if (first === '|' || first === '>') return this.#blockScalar(rest, indent);
    if (first === '[' || first === '{') return readFlow(rest);
    if (first === '"' || first === "'") return remembered(knownScalars, rest, quotedText(rest));
    const resolved = resolveScalar({ text: plainText(rest), plain: true });
    if ('value' in resolved) return remembered(knownScalars, rest, resolved.value);
    throw new Unusual();
  }

  #nested(indent: number, isInMapping: boolean): Value {
    this.#skipEmpty();
    const next = this.#indents[this.#at];
    if (next === undefined || next < indent) return null;
    if (next > indent) return this.#block(next);
    return isInMapping && isItem(this.#contents[this.#at] ?? '') ? this.#sequence(indent) : null;
  }

  #blockScalar(header: string, parent: number): string {
    const [, style, chomping] = /^([|>])(-?)(?: +#.*| *)$/.exec(header) ?? [];
    if (style === undefined) throw new Unusual();
    const from = this.#at;
    let first = from;
    while (first < this.#lines.length && isBlank(this.#lines[first] ?? '')) first++;
    const indent = spacesOf(this.#lines[first] ?? '');
    const isTooDeep = this.#lines.slice(from, first).some((line) => line.length > indent);
    if (first === this.#lines.length || indent <= parent || isTooDeep) throw new Unusual();
    let end = first;
    let last = first;
    for (; end < this.#lines.length; end++) {
      const line = this.#lines[end] ?? '';
      if (isBlank(line) && line.length <= indent) continue;
      if (spacesOf(line) < indent) break;
      last = end;
    }
    this.#at = end;
    const lines = this.#lines.slice(first, last + 1).map((line) => line.slice(indent));
    const body = style === '|' ? lines.join('\n') : folded(lines);
    return '\n'.repeat(first - from) + body + (chomping === '-' ? '' : '\n');
  }
}

/** The lines of a folded scalar as one text; lines that begin with a space keep their ends. */
function folded(lines: readonly string[]): string {
  let text = '';
  let separator = '';
  let isAfterIndented = false;
  for (const line of lines) {
    if (line.startsWith(' ')) {
      if (separator === ' ') separator = '\n';
      else if (!isAfterIndented && separator === '\n') separator = '\n\n';
      text += separator + line;
      separator = '\n';
      isAfterIndented = true;
    } else if (line === '') {
      if (separator === '\n') text += '\n';
      else separator = '\n';
    } else {
      text += separator + line;
      separator = ' ';
      isAfterIndented = false;
    }
  }
  return text;
}

function isBlank(line: string): boolean {
  return spacesOf(line) === line.length;
}

function spacesOf(line: string): number {
  let count = 0;
  while (line.charCodeAt(count) === 32) count++;
  return count;
}

/** Whether the content of a line begins an item of a sequence. */
function isItem(content: string): boolean {
  return content.startsWith('-') && (content.length === 1 || content[1] === ' ');
}

function isKey(text: string): boolean {
  if (text.startsWith('"') || text.startsWith("'"))
    return /^(?:"[^"]*"|'[^']*') *:(?: |$)/.test(text);
  if (/^[[{|>&*!]/.test(text)) return false;
  const cut = text.search(/ #/);
  return /:(?: |$)/.test(cut === -1 ? text : text.slice(0, cut));
}

/** The line of a key: the key, and the text after its colon. */
interface Entry {
  readonly key: string;
  readonly rest: string;
}

// Manifests repeat themselves: of a hundred lines, ninety have been read before, and looking them up takes a
// tenth of the time. Both are emptied when they are full, and hold nothing long.
const knownEntries = new Map<string, Entry>();
const knownScalars = new Map<string, Value>();
const mostKnown = 2000;
const longestKnown = 100;

function remembered<T extends Entry | Value>(known: Map<string, T>, text: string, found: T): T {
  if (text.length > longestKnown) return found;
  if (known.size >= mostKnown) known.clear();
  known.set(text, found);
  return found;
}

/** Splits the content of a line, or the part after a dash, into key and value. */
function entryOf(text: string): Entry {
  return knownEntries.get(text) ?? remembered(knownEntries, text, splitKey(text));
}

function splitKey(text: string): Entry {
  const quoted = /^("[^"\\]*"|'[^']*'):(?: |$)/.exec(text);
  if (quoted !== null) {
    const written = quoted[1] ?? '';
    return { key: written.slice(1, -1), rest: text.slice(quoted[0].length).trimStart() };
  }
  const colon = text.search(/:(?: |$)/);
  const key = text.slice(0, colon);
  if (colon < 1 || colon > 128 || key === '<<' || !keyText.test(key) || key.endsWith(' ')) {
    throw new Unusual();
  }
  if (/^-(?: |$)| #/.test(key)) throw new Unusual();
  const found = resolveKey({ text: key, plain: true });
  if (!('key' in found)) throw new Unusual();
  return { key: found.key, rest: text.slice(colon + 1).trimStart() };
}
