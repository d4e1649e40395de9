import { isInterrupted } from '@kubeadmit/cel/unstable-internal';
import type { JsonContext } from './json-context.ts';

/**
 * The elements of a loop one after the other, each with its variables set and nothing of the one before; nulls are left
 * out. Afterwards the context is as it was. The loop ends early where evaluation is interrupted, which its rule reports.
 */
export function* loopElements(
  context: JsonContext,
  elements: readonly unknown[],
  nesting: number,
  isReversed: boolean,
): Generator<readonly [index: number, element: unknown], void> {
  context.checkpoint();
  try {
    for (let at = 0; at < elements.length && !isInterrupted(); at++) {
      const index = isReversed ? elements.length - 1 - at : at;
      const element = elements[index];
      if (element === null) continue;
      context.reset();
      context.setElement(element, index, nesting);
      yield [index, element];
    }
  } finally {
    context.restore();
  }
}
