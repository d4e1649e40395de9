import { stringifyJson } from '@kubeadmit/go';
import { fromNode, type Node } from './node.ts';

const kindNames = { map: 'MappingNode', list: 'SequenceNode', scalar: 'ScalarNode' } as const;

/** The error for a node of another kind than a patch needs (kustomize `kyaml/yaml`, `ErrorIfInvalid`). */
export function wrongKindText(expected: Node['kind'], node: Node | undefined): string {
  const actual = kindNames[node?.kind ?? 'scalar'];
  return `wrong node kind: expected ${kindNames[expected]} but got ${actual}: node contents:\n${flowText(node)}\n`;
}

/** Writes a node that was read as JSON as YAML does: unlike Go's JSON, it does not escape `<`, `>` and `&`. */
function flowText(node: Node | undefined): string {
  if (node === undefined) return 'null';
  if (node.kind === 'list') return `[${node.items.map(flowText).join(', ')}]`;
  if (node.kind === 'scalar') return stringifyJson(fromNode(node));
  const members = node.entries.map(({ key, value }) => `${stringifyJson(key)}: ${flowText(value)}`);
  return `{${members.join(', ')}}`;
}
