import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import type { Scalar as ScalarText } from './yaml-scalar.ts';

/** The target of every alias of a document. */
export type AliasTargets = ReadonlyMap<Alias, Node>;

/** Links aliases to the node that bore their name last, as they stand in the text. */
export function linkAliases(root: Node | null): AliasTargets {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
      return;
    }
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isSeq(node)) node.items.forEach(visit);
    if (isMap(node)) {
      for (const pair of node.items) {
        visit(pair.key);
        visit(pair.value);
      }
    }
  };
  visit(root);
  return targets;
}

/** The parts of a scalar node that decide about its value. */
export function scalarText(node: Scalar): ScalarText {
  const text = typeof node.value === 'string' ? node.value : '';
  const plain = (node.type === 'PLAIN' || node.type === undefined) && node.tag !== '!';
  return node.tag === undefined || node.tag === '!'
    ? { text, plain }
    : { text, plain, tag: node.tag };
}

/** Whether a key is the merge key `<<`. */
export function isMergeKey(key: unknown): key is Scalar {
  if (!isScalar(key) || key.value !== '<<') return false;
  return key.tag === undefined ? scalarText(key).plain : key.tag === 'tag:yaml.org,2002:merge';
}
