import { setKey, type Value } from '@kubeadmit/cel';
import { readFlow } from './plain-flow.ts';
import { plainText, quotedText, Unusual } from './plain-scalar.ts';
import { resolveKey, resolveScalar } from './yaml-scalar.ts';

/** The value of a text and where it begins. */
export interface PlainDocument {
  readonly value: Value;
  readonly start: number;
}

/** Nesting beyond which a text is left to the parser. */
const deepest = 200;

/**
 * Reads YAML as most manifests are written, several times as fast as the parser of all YAML: block mappings
 * and sequences, scalars on one line, block scalars, and flow collections on one line.
 *
 * Undefined for everything else, and for whatever may be wrong. What it reads, it reads as the parser does,
 * which its tests compare. It is here for its speed alone: `kubeadmit test` takes half the time with it.
 */
export function readPlainYaml(text: string): PlainDocument | undefined {
  if (/[\r\t\u0085\u2028\u2029\ufeff]|^(?:---|\.\.\.|%)/m.test(text)) return undefined;
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
  /** Where the content of each line begins; -1 for lines that are empty or a comment. */
  readonly #indents: readonly number[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#lines = text.split('\n');
    this.#indents = this.#lines.map(indentOf);
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

  /** Whether an item of a sequence begins at a column of a line. */
  #isItem(line: number, column: number): boolean {
    const text = this.#lines[line] ?? '';
    return text[column] === '-' && (text.length === column + 1 || text[column + 1] === ' ');
  }

  #block(indent: number): Value[] | Record<string, Value> {
    if (++this.#depth > deepest) throw new Unusual();
    const value = this.#isItem(this.#at, indent)
      ? this.#sequence(indent)
      : this.#mapping(indent, false);
    this.#depth--;
    return value;
  }

  /** A mapping whose keys stand in a column; the first of them may stand behind the dash of an item. */
  #mapping(indent: number, isBehindDash: boolean): Record<string, Value> {
    const object: Record<string, Value> = {};
    let isFirst = isBehindDash;
    for (;;) {
      if (!isFirst && !this.#continues(indent)) return object;
      if (!isFirst && this.#isItem(this.#at, indent)) throw new Unusual();
      isFirst = false;
      const [key, rest] = splitKey((this.#lines[this.#at] ?? '').slice(indent));
      if (Object.hasOwn(object, key)) throw new Unusual();
      this.#at++;
      setKey(object, key, this.#value(rest, indent, true));
    }
  }

  #sequence(indent: number): Value[] {
    const items: Value[] = [];
    while (this.#continues(indent) && this.#isItem(this.#at, indent))
      items.push(this.#item(indent));
    return items;
  }

  #item(indent: number): Value {
    const line = this.#lines[this.#at] ?? '';
    let column = indent + 1;
    while (line[column] === ' ') column++;
    const rest = line.slice(column);
    if (rest === '' || rest.startsWith('#')) {
      this.#at++;
      return this.#value('', indent, false);
    }
    if (this.#isItem(this.#at, column)) throw new Unusual();
    if (isKey(rest)) {
      if (++this.#depth > deepest) throw new Unusual();
      const mapping = this.#mapping(column, true);
      this.#depth--;
      return mapping;
    }
    this.#at++;
    return this.#value(rest, indent, false);
  }

  /** Whether the next content stands in a column; content further to the right is of a form not read here. */
  #continues(indent: number): boolean {
    this.#skipEmpty();
    const next = this.#indents[this.#at];
    if (next === undefined || next < indent) return false;
    if (next > indent) throw new Unusual();
    return true;
  }

  /** The value behind a key or dash; what it is nested in stands in the column `indent`. */
  #value(rest: string, indent: number, isInMapping: boolean): Value {
    const first = rest[0];
    if (first === undefined || first === '#') return this.#nested(indent, isInMapping);
    if (first === '|' || first === '>') return this.#blockScalar(rest, indent);
    if (first === '[' || first === '{') return readFlow(rest);
    if (first === '"' || first === "'") return quotedText(rest);
    const resolved = resolveScalar({ text: plainText(rest), plain: true });
    if ('value' in resolved) return resolved.value;
    throw new Unusual();
  }

  #nested(indent: number, isInMapping: boolean): Value {
    this.#skipEmpty();
    const next = this.#indents[this.#at];
    if (next === undefined || next < indent) return null;
    if (next > indent) return this.#block(next);
    return isInMapping && this.#isItem(this.#at, indent) ? this.#sequence(indent) : null;
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

function indentOf(line: string): number {
  const spaces = spacesOf(line);
  return spaces === line.length || line[spaces] === '#' ? -1 : spaces;
}

/** Whether a text begins with a key. */
function isKey(text: string): boolean {
  if (text.startsWith('"') || text.startsWith("'"))
    return /^(?:"[^"]*"|'[^']*') *:(?: |$)/.test(text);
  if (/^[[{|>&*!]/.test(text)) return false;
  const cut = text.search(/ #/);
  return /:(?: |$)/.test(cut === -1 ? text : text.slice(0, cut));
}

/** The key that a text begins with, and what follows its colon. */
function splitKey(text: string): readonly [string, string] {
  const quoted = /^("[^"\\]*"|'[^']*'):(?: |$)/.exec(text);
  if (quoted !== null) {
    const written = quoted[1] ?? '';
    return [written.slice(1, -1), text.slice(quoted[0].length).trimStart()];
  }
  const colon = text.search(/:(?: |$)/);
  const key = text.slice(0, colon);
  if (colon < 1 || colon > 128 || key === '<<' || !keyText.test(key) || key.endsWith(' ')) {
    throw new Unusual();
  }
  if (/^-(?: |$)| #/.test(key)) throw new Unusual();
  const found = resolveKey({ text: key, plain: true });
  if (!('key' in found)) throw new Unusual();
  return [found.key, text.slice(colon + 1).trimStart()];
}
