/** A value of a YAML document with its place: indexes of UTF-16 units in the document's text. */
export type OutlineNode = MapNode | ListNode | ScalarNode;

interface Stretch {
  readonly start: number;
  /** Behind its last character. */
  end: number;
}

/** A mapping. */
export interface MapNode extends Stretch {
  readonly kind: 'map';
  /** The column of its keys; of one in braces that of the brace. */
  readonly column: number;
  readonly isFlow: boolean;
  readonly entries: readonly Entry[];
}

/** One entry of a mapping. */
export interface Entry {
  readonly key: string;
  /** Where the key begins, with its quote if it has one. */
  readonly start: number;
  readonly keyEnd: number;
  /** The position of the colon; `undefined` for a word that may become a key. */
  readonly colon: number | undefined;
  /** Behind the key and its colon. */
  readonly end: number;
  readonly value?: OutlineNode;
}

/** A sequence. */
export interface ListNode extends Stretch {
  readonly kind: 'list';
  readonly column: number;
  readonly isFlow: boolean;
  /** With the place of the dash, or of the value in brackets. */
  readonly items: readonly { readonly start: number; readonly value?: OutlineNode }[];
}

/** How a scalar is written. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded';

/** A scalar, with its quotes, or from the mark of a block to the end of its last line. */
export interface ScalarNode extends Stretch {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  readonly isClosed: boolean;
  /** The indentation of a block's text. */
  readonly indent?: number;
}

/** Whether a scalar is written as a block below its mark. */
export function isBlock({ style }: ScalarNode): boolean {
  return style === 'literal' || style === 'folded';
}

/** A scalar without its quotes. */
export function contentOf({ start, end, style, isClosed }: ScalarNode): Stretch {
  if (style !== 'single' && style !== 'double') return { start, end };
  return { start: start + 1, end: isClosed ? end - 1 : end };
}

/** The entry of a key of a mapping; the last one, as readers take it. */
export function entryOf(node: OutlineNode | undefined, key: string): Entry | undefined {
  return node?.kind === 'map' ? node.entries.findLast((entry) => entry.key === key) : undefined;
}

/** The value at a path of keys and indexes. */
export function nodeAt(
  node: OutlineNode | undefined,
  ...path: readonly (string | number)[]
): OutlineNode | undefined {
  let found = node;
  for (const step of path) {
    if (typeof step === 'number') {
      found = found?.kind === 'list' ? found.items[step]?.value : undefined;
    } else found = entryOf(found, step)?.value;
  }
  return found;
}

/** The elements of a list that have a value. */
export function itemsOf(node: OutlineNode | undefined): readonly OutlineNode[] {
  return node?.kind === 'list' ? node.items.flatMap(({ value }) => value ?? []) : [];
}
