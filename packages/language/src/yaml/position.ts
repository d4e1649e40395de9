import {
  type Entry,
  isBlock,
  type ListNode,
  type MapNode,
  type OutlineNode,
  type ScalarNode,
} from './nodes.ts';

/** The existing or possible node at an index of a YAML document. */
export interface YamlPosition {
  /** A key of a mapping, or a value. */
  readonly kind: 'key' | 'value';
  /** The path of the mapping that contains the key, or of the value. */
  readonly path: readonly (string | number)[];
  /** The mapping, where it is there already. */
  readonly map: MapNode | undefined;
  /** The entry whose key is meant. */
  readonly entry: Entry | undefined;
  readonly scalar: ScalarNode | undefined;
  /** The stretch of the word that is written. */
  readonly start: number;
  readonly end: number;
  /** The column of the keys. */
  readonly column: number;
  /** Whether the position is inside brackets, so that the key does not get a new line. */
  readonly isFlow: boolean;
}

/** Finds the node at an index of a document's text; `undefined` in comments and between nodes. */
export function yamlPositionAt(
  text: string,
  root: OutlineNode | undefined,
  offset: number,
): YamlPosition | undefined {
  const lineStart = lineStartAt(text, offset);
  const line = text.slice(lineStart, offset);
  if (isInComment(line) || /^(?:---|\.\.\.)/.test(line)) return undefined;
  const finder = new Finder(text, offset, lineStart);
  if (root === undefined) return finder.empty([], finder.column);
  return finder.visit(root, []);
}

/** Whether the end of a line is in a comment, whose number sign no quote follows. */
function isInComment(line: string): boolean {
  const quote = Math.max(line.lastIndexOf("'"), line.lastIndexOf('"'));
  return /^\s*#/.test(line) || /\s#/.test(line.slice(quote + 1));
}

class Finder {
  readonly #text: string;
  readonly #offset: number;
  readonly #lineStart: number;
  /** The column of the first character of the line, or of the cursor if that comes first. */
  readonly column: number;

  constructor(text: string, offset: number, lineStart: number) {
    this.#text = text;
    this.#offset = offset;
    this.#lineStart = lineStart;
    const blanks = /^ */.exec(text.slice(lineStart))?.[0].length ?? 0;
    this.column = Math.min(blanks, offset - lineStart);
  }

  visit(node: OutlineNode, path: readonly (string | number)[]): YamlPosition | undefined {
    if (node.kind === 'scalar') return this.#scalar(node, path);
    if (node.isFlow)
      return node.kind === 'map' ? this.#flowMap(node, path) : this.#flowList(node, path);
    return node.kind === 'map' ? this.#map(node, path) : this.#list(node, path);
  }

  /** Returns a key to add on a new line, in a mapping that is missing or does not have the key. */
  empty(
    path: readonly (string | number)[],
    column: number,
    map?: MapNode,
  ): YamlPosition | undefined {
    const isBlank = /^ *$/.test(this.#text.slice(this.#lineStart, this.#offset));
    return isBlank ? this.#place('key', path, { column, map }) : undefined;
  }

  #scalar(node: ScalarNode, path: readonly (string | number)[]): YamlPosition | undefined {
    const { start, end } = node;
    if (this.#offset < start || this.#offset > end) return undefined;
    if (isBlock(node) && this.#text.indexOf('\n', start) < this.#offset) return undefined;
    return this.#place('value', path, { scalar: node, start, end });
  }

  #value(path: readonly (string | number)[], isFlow = false): YamlPosition {
    return this.#place('value', path, { isFlow });
  }

  #key(map: MapNode, entry: Entry, path: readonly (string | number)[]): YamlPosition {
    const { start, keyEnd: end } = entry;
    const { column, isFlow } = map;
    return this.#place('key', path, { map, entry, start, end, column, isFlow });
  }

  /** A position where nothing is written yet, with its known context. */
  #place(
    kind: YamlPosition['kind'],
    path: readonly (string | number)[],
    known: Partial<YamlPosition>,
  ): YamlPosition {
    const at = this.#offset;
    const nothing = { map: undefined, entry: undefined, scalar: undefined };
    return { kind, path, ...nothing, start: at, end: at, column: 0, isFlow: false, ...known };
  }

  #isOnLine(start: number): boolean {
    return start >= this.#lineStart;
  }

  #map(map: MapNode, path: readonly (string | number)[]): YamlPosition | undefined {
    const entry = map.entries.findLast(({ start }) => start <= this.#offset);
    if (entry === undefined)
      return this.column === map.column ? this.empty(path, map.column, map) : undefined;
    if (this.#offset <= entry.keyEnd) return this.#key(map, entry, path);
    const inner = [...path, entry.key];
    const { value } = entry;
    if (this.#isOnLine(entry.start)) {
      if (entry.colon === undefined || this.#offset <= entry.colon) return undefined;
      if (value === undefined || !this.#isOnLine(value.start)) return this.#value(inner);
      if (this.#offset < value.start) return this.#value(inner);
      return this.visit(value, inner) ?? (value.kind === 'scalar' ? undefined : this.#value(inner));
    }
    if (value !== undefined && value.start < this.#offset && this.#reaches(value, map)) {
      const found = this.visit(value, inner);
      if (found !== undefined) return found;
    }
    if (
      value?.kind === 'scalar' &&
      this.#offset < value.end &&
      !isBelowBlock(this.#text, value, this.#offset)
    ) {
      return undefined;
    }
    if (this.column === map.column) return this.empty(path, map.column, map);
    if (this.column > map.column && (value === undefined || value.start >= this.#lineStart)) {
      return this.empty(inner, this.column);
    }
    return undefined;
  }

  /** Whether the line is indented like a part of a value. */
  #reaches(value: OutlineNode, map: MapNode): boolean {
    if (value.kind === 'scalar' || value.isFlow) return this.#offset <= value.end;
    return this.column >= value.column && (value.kind === 'list' || this.column > map.column);
  }

  #list(list: ListNode, path: readonly (string | number)[]): YamlPosition | undefined {
    const index = list.items.findLastIndex(({ start }) => start < this.#offset);
    const item = list.items[index];
    if (item === undefined) return undefined;
    const inner = [...path, index];
    const { value } = item;
    if (this.#isOnLine(item.start)) {
      if (value === undefined || this.#offset < value.start) return this.#value(inner);
      return this.visit(value, inner);
    }
    if (value !== undefined && value.start < this.#offset) {
      const found = this.visit(value, inner);
      if (found !== undefined) return found;
    }
    const isKey = this.column > list.column && (value === undefined || value.start >= this.#offset);
    return isKey ? this.empty(inner, this.column) : undefined;
  }

  #flowMap(map: MapNode, path: readonly (string | number)[]): YamlPosition | undefined {
    if (this.#offset <= map.start || this.#offset > map.end) return undefined;
    if (this.#offset === map.end && this.#text[map.end - 1] === '}') return undefined;
    for (const entry of map.entries) {
      if (this.#offset >= entry.start && this.#offset <= entry.keyEnd)
        return this.#key(map, entry, path);
      const { value, colon } = entry;
      if (colon === undefined || this.#offset <= colon) continue;
      const inner = [...path, entry.key];
      if (value !== undefined && this.#offset >= value.start && this.#offset <= value.end) {
        return this.visit(value, inner) ?? this.#value(inner, true);
      }
      const between = this.#text.slice(entry.end, this.#offset);
      if (value === undefined && /^\s*$/.test(between)) return this.#value(inner, true);
      if (value !== undefined && this.#offset < value.start) return this.#value(inner, true);
    }
    return this.#place('key', path, { column: map.column, map, isFlow: true });
  }

  #flowList(list: ListNode, path: readonly (string | number)[]): YamlPosition | undefined {
    if (this.#offset <= list.start || this.#offset > list.end) return undefined;
    if (this.#offset === list.end && this.#text[list.end - 1] === ']') return undefined;
    for (const [i, { start, value }] of list.items.entries()) {
      if (value === undefined || this.#offset < start || this.#offset > value.end) continue;
      return this.visit(value, [...path, i]);
    }
    return this.#value([...path, list.items.length], true);
  }
}

/**
 * Whether an index is on a blank line at the end of a block, before the block's indentation: text there is outside of
 * the block.
 */
export function isBelowBlock(text: string, { indent, end }: ScalarNode, offset: number): boolean {
  if (indent === undefined) return false;
  const start = lineStartAt(text, offset);
  return offset - start < indent && /^\s*$/.test(text.slice(start, end));
}

/** Where the line of an index begins. */
export function lineStartAt(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}
