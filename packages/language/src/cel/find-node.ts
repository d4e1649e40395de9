import { childrenOf, type Expression } from '@kubeadmit/cel/syntax';

/** A node with those that it is in, the nearest first. */
export interface FoundNode {
  readonly node: Expression;
  readonly parents: readonly Expression[];
}

/** Every node of a tree, from the root down; the loops of macros as they were expanded. */
export function* nodesOf(
  root: Expression,
  parents: readonly Expression[] = [],
): Generator<FoundNode> {
  yield { node: root, parents };
  const inner = [root, ...parents];
  for (const child of childrenOf(root)) yield* nodesOf(child, inner);
}

/** The last node that is sought. */
export function findNode(
  root: Expression,
  isSought: (node: Expression) => boolean,
): FoundNode | undefined {
  let last: FoundNode | undefined;
  for (const found of nodesOf(root)) if (isSought(found.node)) last = found;
  return last;
}
