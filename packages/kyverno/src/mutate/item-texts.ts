import { fieldOf, isNull, type Node, textOfNode } from './node.ts';

/** Texts by which items of a list are found: those at its merge keys; the key of a primitive is empty. */
export interface ItemTexts {
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** Whether an item has exactly the texts. */
export function hasTexts(item: Node, { keys, values }: ItemTexts): boolean {
  return keys.every((key, at) => textAt(item, key) === (values[at] ?? ''));
}

/**
 * Whether a change of a list applies to an item. An empty text matches any, and a key beyond the last text counts as
 * matched where the one before it was.
 */
export function matches(item: Node, { keys, values }: ItemTexts): boolean {
  let isMatched = false;
  for (const [at, key] of keys.entries()) {
    const value = values[at];
    if (value !== undefined) isMatched = hasText(item, key, value);
    if (!isMatched) return false;
  }
  return true;
}

function hasText(item: Node, key: string, value: string): boolean {
  if (key === '') return item.kind === 'scalar' && item.text === value;
  const text = textAt(item, key);
  return text !== undefined && (value === '' || text === value);
}

/** Whether an item is null or an empty map, neither of which stays in a list that is changed. */
export function isEmptyItem(item: Node): boolean {
  return isNull(item) || (item.kind === 'map' && item.entries.length === 0);
}

/** Returns the text of an item at a merge key. */
export function textAt(item: Node, key: string): string | undefined {
  if (key === '') return textOfNode(item);
  const field = fieldOf(item, key);
  return field && textOfNode(field);
}
