import { stringifyJson } from '@kubeadmit/go/internal';
import { fromNode, type Node } from './node.ts';

const kindNames = { map: 'MappingNode', list: 'SequenceNode', scalar: 'ScalarNode' } as const;

/** The text about a node that is of another kind than a patch needs (kustomize `kyaml/yaml`, `ErrorIfInvalid`). */
export function wrongKindText(expected: Node['kind'], node: Node | undefined): string {
  const actual = kindNames[node?.kind ?? 'scalar'];
  return `wrong node kind: expected ${kindNames[expected]} but got ${actual}: node contents:\n${flowText(node)}\n`;
}

/** A node as YAML writes what was read as JSON. */
function flowText(node: Node | undefined): string {
  if (node === undefined) return 'null';
  if (node.kind === 'list') return `[${node.items.map(flowText).join(', ')}]`;
  if (node.kind === 'scalar') return scalarText(fromNode(node));
  const members = node.entries.map(({ key, value }) => `${scalarText(key)}: ${flowText(value)}`);
  return `{${members.join(', ')}}`;
}

// Other than JSON in Go, YAML escapes no `<`, `>` and `&`.
function scalarText(value: unknown): string {
  return stringifyJson(value);
}
