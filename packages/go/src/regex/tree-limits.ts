import { getOrMake } from '@kubeadmit/base';
import { partsOf, type RegexNode } from './syntax.ts';

/** Whether nothing is repeated more than `most` times, including nested repetitions (Go's `repeatIsValid`). */
export function isRepeatValid(node: RegexNode, most: number): boolean {
  let left = most;
  if (node.kind === 'repeat' && node.isCounted) {
    const count = node.most === Number.POSITIVE_INFINITY ? node.least : node.most;
    if (node.most === 0) return true;
    if (count > most) return false;
    if (count > 0) left = Math.floor(most / count);
  }
  return partsOf(node).every((part) => isRepeatValid(part, left));
}

const heights = new WeakMap<RegexNode, number>();

/** Returns the height of a node, memoized because callers ask from the inside out. */
export function heightOf(node: RegexNode): number {
  return getOrMake(
    heights,
    node,
    () => 1 + partsOf(node).reduce((most, part) => Math.max(most, heightOf(part)), 0),
  );
}

/** How many instructions a tree becomes (Go's `calcSize`). */
export function sizeOf(node: RegexNode): number {
  const inner = partsOf(node).reduce((sum, part) => sum + sizeOf(part), 0);
  switch (node.kind) {
    case 'group':
      return 2 + inner;
    case 'choice':
      return inner + node.options.length - 1;
    case 'repeat': {
      const { least, most } = node;
      if (most !== Number.POSITIVE_INFINITY) return Math.max(1, most * inner + (most - least));
      return least === 0 ? 2 + inner : 1 + least * inner;
    }
    default:
      return Math.max(1, inner);
  }
}
