import { formatValue } from '@kubeadmit/go';

/** The kinds of nodes, in the order of go-jmespath's numbers, which error texts print. */
export const nodeKinds = [
  'empty',
  'comparator',
  'current',
  'reference',
  'call',
  'field',
  'filter',
  'flatten',
  'identity',
  'index',
  'indexed',
  'pair',
  'literal',
  'hash',
  'list',
  'or',
  'and',
  'not',
  'pipe',
  'projection',
  'subexpression',
  'slice',
  'values',
] as const;

/** The kind of a node. */
export type NodeKind = (typeof nodeKinds)[number];

/** A node of a JMESPath expression; the meaning of `value` and `children` depends on the kind. */
export interface Node {
  /** The kind. */
  readonly kind: NodeKind;
  /** The name, number, literal or comparison of the node. */
  readonly value?: unknown;
  /** The parts of the expression. */
  readonly children: readonly Node[];
}

/** A node as Go prints the structure inside an expression reference. */
export function formatNode({ kind, value, children }: Node): string {
  return `{${nodeKinds.indexOf(kind)} ${formatValue(value)} [${children.map(formatNode).join(' ')}]}`;
}
