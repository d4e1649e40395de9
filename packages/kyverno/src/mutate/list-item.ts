import { fieldOf, isNull, type ListNode, type Node, textOfNode } from './node.ts';

/**
 * Replaces the items of a list that have given texts at given keys, or appends one where there are none; without
 * an item those that match are taken out (kustomize's `ElementSetter`).
 *
 * Nulls and empty maps never stay. Without values every item that stays in question is taken out.
 */
export function setListItem(
  list: ListNode,
  item: Node | undefined,
  keys: readonly string[],
  values: readonly string[],
): void {
  const matchesMaps = (keys[0] ?? '') !== '' && (values[0] ?? '') !== '';
  const kept: Node[] = [];
  let isFound = false;
  for (const candidate of list.items) {
    if (isNull(candidate) || (candidate.kind === 'map' && candidate.entries.length === 0)) continue;
    if (candidate.kind !== 'map' && matchesMaps) {
      kept.push(candidate);
    } else if (!matches(candidate, keys, values)) {
      if (values.length > 0) kept.push(candidate);
    } else {
      isFound = true;
      if (item !== undefined) kept.push(item);
    }
  }
  list.items = kept;
  if (item !== undefined && !isNull(item) && !isFound) list.items.push(item);
}

/** A key beyond the last value counts as matched where the one before it was. */
function matches(candidate: Node, keys: readonly string[], values: readonly string[]): boolean {
  let isMatched = false;
  for (const [at, key] of keys.entries()) {
    const value = values[at];
    if (value !== undefined) isMatched = hasText(candidate, key, value);
    if (!isMatched) return false;
  }
  return true;
}

function hasText(candidate: Node, key: string, value: string): boolean {
  if (key === '') return candidate.kind === 'scalar' && candidate.text === value;
  const field = fieldOf(candidate, key);
  return field !== undefined && (value === '' || textOfNode(field) === value);
}
