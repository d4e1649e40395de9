import type { Node } from './node.ts';

/** Whether an expression calls a function. */
export function callsFunction(node: Node, name: string): boolean {
  return (
    (node.kind === 'call' && node.value === name) ||
    node.children.some((child) => callsFunction(child, name))
  );
}
