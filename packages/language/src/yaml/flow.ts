import type { Entry, ListNode, MapNode, OutlineNode, ScalarNode } from './nodes.ts';

/** Reads the bracketed value at an index, up to a limit at most; unclosed brackets end at the limit. */
export function readFlow(text: string, start: number, limit: number): OutlineNode {
  return new FlowReader(text, limit).value(start, 0);
}

const deepest = 100;

class FlowReader {
  readonly #text: string;
  readonly #limit: number;

  constructor(text: string, limit: number) {
    this.#text = text;
    this.#limit = limit;
  }

  value(start: number, depth: number): OutlineNode {
    const mark = this.#text[start];
    if (depth < deepest && mark === '{' && this.#text[start + 1] !== '{')
      return this.#map(start, depth);
    if (depth < deepest && mark === '[') return this.#list(start, depth);
    if (mark === '"' || mark === "'") return this.#quoted(start, mark);
    return this.#plain(start);
  }

  #map(start: number, depth: number): MapNode {
    const entries: Entry[] = [];
    let at = this.#skip(start + 1);
    while (at < this.#limit && this.#text[at] !== '}' && this.#text[at] !== ']') {
      if (this.#text[at] === ',') {
        at = this.#skip(at + 1);
        continue;
      }
      const key = this.value(at, depth + 1);
      const keyEnd = key.kind === 'scalar' ? key.end : key.end;
      const found = this.#skip(keyEnd);
      const hasColon = found < this.#limit && this.#text[found] === ':';
      const entry: Entry = {
        key: plainKey(this.#text.slice(at, keyEnd)),
        start: at,
        keyEnd,
        colon: hasColon ? found : undefined,
        end: hasColon ? found + 1 : keyEnd,
      };
      let next = Math.max(found, at + 1);
      if (hasColon) {
        next = this.#skip(found + 1);
        if (next < this.#limit && !/[,}\]]/.test(this.#text[next] ?? '')) {
          const value = this.value(next, depth + 1);
          entries.push({ ...entry, value });
          at = this.#skip(Math.max(value.end, next + 1));
          continue;
        }
      }
      entries.push(entry);
      at = next;
    }
    return { kind: 'map', start, end: this.#close(at, '}'), column: 0, isFlow: true, entries };
  }

  #list(start: number, depth: number): ListNode {
    const items: { start: number; value: OutlineNode }[] = [];
    let at = this.#skip(start + 1);
    while (at < this.#limit && this.#text[at] !== ']' && this.#text[at] !== '}') {
      if (this.#text[at] === ',') {
        at = this.#skip(at + 1);
        continue;
      }
      const value = this.value(at, depth + 1);
      items.push({ start: at, value });
      at = this.#skip(Math.max(value.end, at + 1));
      // A stray colon belongs to nothing.
      if (this.#text[at] === ':') at = this.#skip(at + 1);
    }
    return { kind: 'list', start, end: this.#close(at, ']'), column: 0, isFlow: true, items };
  }

  #close(at: number, mark: string): number {
    return at < this.#limit && this.#text[at] === mark ? at + 1 : Math.min(at, this.#limit);
  }

  #quoted(start: number, quote: string): ScalarNode {
    const body = quote === '"' ? /(?:[^"\\]|\\[\s\S])*"/y : /(?:[^']|'')*'(?!')/y;
    body.lastIndex = start + 1;
    const isClosed = body.test(this.#text) && body.lastIndex <= this.#limit;
    const newline = this.#text.indexOf('\n', start);
    const lineEnd = Math.min(newline === -1 ? this.#limit : newline, this.#limit);
    const end = isClosed ? body.lastIndex : Math.max(lineEnd, start + 1);
    const style = quote === '"' ? 'double' : 'single';
    return { kind: 'scalar', style, start, end, isClosed };
  }

  #plain(start: number): ScalarNode {
    let end = start;
    for (let at = start; at < this.#limit; at++) {
      const character = this.#text[at] ?? '';
      if (/[,[\]{}]/.test(character)) break;
      if (character === ':' && /^(?:[\s,[\]{}]|$)/.test(this.#text.slice(at + 1, at + 2))) break;
      if (character === '#' && /\s/.test(this.#text[at - 1] ?? '')) break;
      if (!/\s/.test(character)) end = at + 1;
    }
    return { kind: 'scalar', style: 'plain', start, end, isClosed: true };
  }

  /** Behind blanks, line ends and comments. */
  #skip(from: number): number {
    const blank = /(?:\s+|#[^\n]*)*/y;
    blank.lastIndex = from;
    blank.test(this.#text);
    return Math.min(Math.max(blank.lastIndex, from), this.#limit);
  }
}

/** The name that a key's text is for: without quotes. */
export function plainKey(text: string): string {
  const trimmed = text.trim();
  if (/^"[\s\S]*"$/.test(trimmed)) return trimmed.slice(1, -1).replace(/\\(["\\/])/g, '$1');
  return /^'[\s\S]*'$/.test(trimmed) ? trimmed.slice(1, -1).replaceAll("''", "'") : trimmed;
}
