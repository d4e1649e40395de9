import { plainKey, readFlow } from './flow.ts';
import type { Entry, ListNode, MapNode, OutlineNode, ScalarNode, ScalarStyle } from './nodes.ts';

/**
 * Returns the tree of a YAML document as indicated by its indentation and brackets.
 *
 * The document may be invalid: keys without colons, unclosed quotes and brackets, and template lines are accepted.
 * Never throws.
 *
 * For valid YAML, the tree is the same as that of the YAML parser, apart from tags and merge keys.
 */
export function outlineOf(text: string): OutlineNode | undefined {
  return new Outliner(text).read();
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** The position of the first character that is not a blank. */
  readonly content: number;
}

const deepest = 100;
const key =
  /(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|(?:[^\s#&*!|>%@`"'[\]{},:-]|[-:?][^\s:#])(?:[^\S\n]*[^\s:#])*?)(?=\s*:(?:\s|$))/y;
// Names end with a character that is not a blank, so that blanks are looked at twice at most.
const looseKey = /[^\s:#](?:[^\S\n]*\S)*?(?=\s*:(?:\s|$))/y;

class Outliner {
  readonly #text: string;
  readonly #lines: readonly Line[];
  /** The line that is read next. */
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = contentLines(text);
  }

  read(): OutlineNode | undefined {
    const first = this.#lines[0];
    if (first === undefined) return undefined;
    if (this.#text[first.content] === '{' || this.#text[first.content] === '[') {
      if (!this.#text.startsWith('{{', first.content)) {
        return readFlow(this.#text, first.content, this.#text.length);
      }
    }
    return this.#block(0);
  }

  #column(line: Line): number {
    return line.content - line.start;
  }

  /** Reads the value on the following lines that have at least this indentation. */
  #block(least: number): OutlineNode | undefined {
    const line = this.#lines[this.#at];
    if (line === undefined || this.#column(line) < least || this.#depth >= deepest)
      return undefined;
    this.#depth++;
    const node = this.#blockAt(line.content, this.#column(line));
    this.#depth--;
    return node;
  }

  /** A block whose first line is the current one, and begins at an index and a column of it. */
  #blockAt(start: number, column: number, isItem = false): OutlineNode | undefined {
    if (isDash(this.#text, start)) return this.#list(start, column);
    const isWord = this.#isWord(start) && (!isItem || this.#isFollowedByKey(column));
    if (this.#keyAt(start) !== undefined || isWord) return this.#map(start, column);
    return this.#value(start, column - 1);
  }

  /** A word that may become a key: the only one of its line, and nothing of a block belongs to it. */
  #isWord(start: number): boolean {
    const line = this.#lines[this.#at];
    return line !== undefined && /^[A-Za-z_][\w./-]*\s*$/.test(this.#text.slice(start, line.end));
  }

  #isFollowedByKey(column: number): boolean {
    const next = this.#lines[this.#at + 1];
    if (next === undefined || this.#column(next) !== column) return false;
    return /^[^\s#][^\n]*?:(?:\s|$)/.test(this.#text.slice(next.content, next.end));
  }

  #keyAt(start: number): { readonly end: number; readonly colon: number } | undefined {
    const line = this.#lines[this.#at];
    for (const pattern of [key, looseKey]) {
      pattern.lastIndex = start;
      const found = pattern.exec(this.#text);
      if (found === null || found[0] === '' || line === undefined) continue;
      const end = start + found[0].length;
      if (end > line.end || (pattern === looseKey && /^[[{"'|>&*!]/.test(found[0]))) continue;
      return { end, colon: this.#text.indexOf(':', end) };
    }
    return undefined;
  }

  #map(start: number, column: number): MapNode {
    const entries: Entry[] = [];
    const node: MapNode = { kind: 'map', start, end: start, column, isFlow: false, entries };
    for (let from = start; ; ) {
      const entry = this.#entry(from, column);
      entries.push(entry);
      node.end = Math.max(entry.value?.end ?? 0, entry.end);
      const next = this.#nextAt(column);
      if (next === undefined || isDash(this.#text, next.content)) return node;
      from = next.content;
    }
  }

  /** The next line when it begins at the column; lines between, that fit nowhere, are left out. */
  #nextAt(column: number): Line | undefined {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] as Line;
      const found = this.#column(line);
      if (found < column) return undefined;
      if (found === column) return line;
    }
    return undefined;
  }

  #entry(start: number, column: number): Entry {
    const line = this.#lines[this.#at] as Line;
    const found = this.#keyAt(start);
    if (found === undefined) {
      this.#at++;
      const end = contentEnd(this.#text, start, line.end);
      return { key: this.#text.slice(start, end), start, keyEnd: end, colon: undefined, end };
    }
    const { end: keyEnd, colon } = found;
    const entry: Entry = {
      key: plainKey(this.#text.slice(start, keyEnd)),
      start,
      keyEnd,
      colon,
      end: colon + 1,
    };
    const value = this.#afterMark(colon + 1, line, column);
    return value === undefined ? entry : { ...entry, value };
  }

  /** Reads the value after a colon or a dash: on the same line, or as a block below. */
  #afterMark(from: number, line: Line, column: number, isItem = false): OutlineNode | undefined {
    const start = skipProperties(this.#text, skipBlanks(this.#text, from, line.end), line.end);
    if (start < line.end && this.#text[start] !== '#') {
      if (!isItem) return this.#value(start, column);
      this.#depth++;
      const node =
        this.#depth >= deepest
          ? this.#value(start, column)
          : this.#blockAt(start, start - line.start, true);
      this.#depth--;
      return node;
    }
    this.#at++;
    const next = this.#lines[this.#at];
    if (!isItem && next !== undefined && this.#column(next) === column) {
      return isDash(this.#text, next.content) ? this.#block(column) : undefined;
    }
    return this.#block(column + 1);
  }

  #list(start: number, column: number): ListNode {
    const items: { start: number; value?: OutlineNode }[] = [];
    const node: ListNode = { kind: 'list', start, end: start, column, isFlow: false, items };
    for (let from = start; ; ) {
      const line = this.#lines[this.#at] as Line;
      const value = this.#afterMark(from + 1, line, column, true);
      items.push({ start: from, ...(value === undefined ? {} : { value }) });
      node.end = Math.max(value?.end ?? 0, from + 1);
      const next = this.#nextAt(column);
      if (next === undefined || !isDash(this.#text, next.content)) return node;
      from = next.content;
    }
  }

  /** A scalar or a flow collection that begins on the current line; `parent` is the column of its parent. */
  #value(start: number, parent: number): OutlineNode {
    const text = this.#text;
    const first = text[start] ?? '';
    if (text.startsWith('{{', start)) return this.#plain(start, parent);
    if (first === '{' || first === '[') return this.#flow(start, parent);
    if (first === '"' || first === "'") return this.#quoted(start, first, parent);
    if (first === '|' || first === '>') {
      const header = /[|>](?:[1-9]?[+-]?|[+-][1-9])[ \t]*(?:#.*)?(?=\r?$)/my;
      header.lastIndex = start;
      if (header.test(text)) return this.#blockScalar(start, first, parent);
    }
    return this.#plain(start, parent);
  }

  #flow(start: number, parent: number): OutlineNode {
    const limit = this.#dedentAfter(parent);
    const node = readFlow(this.#text, start, limit);
    this.#passUntil(node.end);
    return node;
  }

  #quoted(start: number, quote: string, parent: number): ScalarNode {
    const text = this.#text;
    const limit = this.#dedentAfter(parent);
    const body = quote === '"' ? /(?:[^"\\]|\\[\s\S])*"/y : /(?:[^']|'')*'(?!')/y;
    body.lastIndex = start + 1;
    const found = body.exec(text);
    const isClosed = found !== null && body.lastIndex <= limit;
    const lineEnd = (this.#lines[this.#at] as Line).end;
    const end = isClosed ? body.lastIndex : contentEnd(text, start, lineEnd);
    this.#passUntil(end);
    return scalar(quote === '"' ? 'double' : 'single', start, end, isClosed);
  }

  #blockScalar(start: number, mark: string, parent: number): ScalarNode {
    const text = this.#text;
    const header = this.#lines[this.#at] as Line;
    const given = /[1-9]/.exec(text.slice(start, header.end))?.[0];
    let indent = given === undefined ? undefined : Math.max(parent, 0) + Number(given);
    let end = header.end;
    for (let at = header.end + 1; at <= text.length; ) {
      const newline = text.indexOf('\n', at);
      const stop = newline === -1 ? text.length : newline;
      const blank = skipBlanks(text, at, stop);
      const isBlank = blank === stop || (blank === stop - 1 && text[blank] === '\r');
      const spaces = leadingSpaces(text, at, stop);
      if (!isBlank && (indent === undefined ? spaces <= parent : spaces <= Math.max(parent, -1)))
        break;
      if (!isBlank) indent ??= spaces;
      end = stop;
      if (newline === -1) break;
      at = newline + 1;
    }
    if (end < text.length) end++;
    this.#passUntil(end, true);
    const style = mark === '|' ? 'literal' : 'folded';
    return { ...scalar(style, start, end, true), indent: indent ?? Math.max(parent, 0) + 2 };
  }

  #plain(start: number, parent: number): ScalarNode {
    let line = this.#lines[this.#at] as Line;
    let end = plainEnd(this.#text, start, line.end);
    const isOpen =
      !this.#text.startsWith('{{', start) && end === contentEnd(this.#text, start, line.end);
    for (this.#at++; isOpen; this.#at++) {
      const next = this.#lines[this.#at];
      if (next === undefined || this.#column(next) <= parent) break;
      if (/^(?:- |[\w./-]+:(?:\s|$))/.test(this.#text.slice(next.content, next.end))) break;
      line = next;
      const stop = plainEnd(this.#text, next.content, next.end);
      end = stop;
      if (stop !== contentEnd(this.#text, next.content, next.end)) {
        this.#at++;
        break;
      }
    }
    return scalar('plain', start, end, true);
  }

  /** Where the first line begins that is not indented further than a column. */
  #dedentAfter(column: number): number {
    for (let at = this.#at + 1; at < this.#lines.length; at++) {
      const line = this.#lines[at] as Line;
      if (this.#column(line) <= column && !/^[\]}]/.test(this.#text.slice(line.content))) {
        return line.start;
      }
    }
    return this.#text.length;
  }

  /** Advances to the first line that begins after an index. */
  #passUntil(end: number, inclusive = false): void {
    this.#at++;
    while (this.#at < this.#lines.length) {
      const { start } = this.#lines[this.#at] as Line;
      if (inclusive ? start >= end : start >= end) return;
      this.#at++;
    }
  }
}

function scalar(style: ScalarStyle, start: number, end: number, isClosed: boolean): ScalarNode {
  return { kind: 'scalar', style, start, end, isClosed };
}

/** The lines that are neither empty, nor comments, nor directives of templates, up to the document's end. */
function contentLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const stop = newline === -1 ? text.length : newline;
    const end = text[stop - 1] === '\r' && stop > start ? stop - 1 : stop;
    const content = leadingSpaces(text, start, end) + start;
    const isMark = content === start && /^(?:---|%)/.test(text.slice(start, start + 3));
    if (content === start && text.startsWith('...', start) && lines.length > 0) break;
    const isDirective = text.startsWith('{{', content) && /\}\}\s*$/.test(text.slice(content, end));
    if (content < end && text[content] !== '#' && !isMark && !isDirective) {
      lines.push({ start, end, content });
    }
    if (newline === -1) break;
    start = newline + 1;
  }
  return lines;
}

function leadingSpaces(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text[at] === ' ') at++;
  return at - start;
}

function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (text[at] === ' ' || text[at] === '\t')) at++;
  return at;
}

/** Behind anchors and tags. */
function skipProperties(text: string, from: number, end: number): number {
  const property = /[&!][^\s,[\]{}]*[ \t]*/y;
  let at = from;
  for (;;) {
    property.lastIndex = at;
    if (at >= end || !property.test(text)) return Math.min(at, end);
    at = property.lastIndex;
  }
}

function contentEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}

/** Where a plain scalar ends on its line: before a comment. */
function plainEnd(text: string, start: number, end: number): number {
  const comment = /\s#/.exec(text.slice(start, end));
  return contentEnd(text, start, comment === null ? end : start + comment.index);
}

function isDash(text: string, at: number): boolean {
  return text[at] === '-' && /^(?:\s|$)/.test(text.slice(at + 1, at + 2));
}
