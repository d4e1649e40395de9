import type { JsonContext } from './json-context.ts';

/**
 * The elements of a loop one after the other, each with its variables set and nothing of the one before; nulls are left
 * out. Afterwards the context is as it was.
 */
export function* loopElements(
  context: JsonContext,
  elements: readonly unknown[],
  nesting: number,
  isReversed: boolean,
): Generator<readonly [index: number, element: unknown], void> {
  const entries = [...elements.entries()];
  if (isReversed) entries.reverse();
  context.checkpoint();
  try {
    for (const [index, element] of entries) {
      if (element === null) continue;
      context.reset();
      context.setElement(element, index, nesting);
      yield [index, element];
    }
  } finally {
    context.restore();
  }
}
