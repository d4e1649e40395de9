import { BrokenYaml, type YamlSource } from './characters.ts';
import { type YamlEvent, YamlEvents } from './events.ts';

/** A node of a document. Its line counts from 0. */
export type YamlNode =
  | {
      readonly type: 'scalar';
      readonly line: number;
      readonly tag: string;
      readonly value: string;
      readonly isPlain: boolean;
    }
  | {
      /** The children of a mapping are its keys and values in turns. */
      readonly type: 'sequence' | 'mapping';
      readonly line: number;
      readonly tag: string;
      readonly children: YamlNode[];
    }
  | {
      readonly type: 'alias';
      readonly line: number;
      readonly name: string;
      readonly target: YamlNode;
    };

type Collection = Extract<YamlNode, { readonly children: unknown }>;

/**
 * The tree of the first document of a text; undefined where there is none. Throws {@link BrokenYaml} where yaml.v2
 * refuses it.
 */
export function composeYaml(source: YamlSource): YamlNode | undefined {
  const events = new YamlEvents(source);
  const anchors = new Map<string, YamlNode>();
  const open: Collection[] = [];
  let root: YamlNode | undefined;
  for (;;) {
    const event = events.next();
    if (event.type === 'end') return root;
    if (event.type === 'collection-end') {
      open.pop();
      continue;
    }
    const node = nodeOf(event, anchors);
    if ('anchor' in event && event.anchor !== undefined) anchors.set(event.anchor, node);
    root ??= node;
    open.at(-1)?.children.push(node);
    if ('children' in node) open.push(node);
  }
}

type NodeEvent = Exclude<YamlEvent, { readonly type: 'end' } | { readonly type: 'collection-end' }>;

function nodeOf(event: NodeEvent, anchors: ReadonlyMap<string, YamlNode>): YamlNode {
  const { line } = event;
  if (event.type === 'alias') {
    const { name } = event;
    const target = anchors.get(name);
    if (target === undefined) throw new BrokenYaml(`unknown anchor '${name}' referenced`);
    return { type: 'alias', line, name, target };
  }
  if (event.type !== 'scalar') return { type: event.type, line, tag: event.tag, children: [] };
  const { tag, value, isPlain } = event;
  return { type: 'scalar', line, tag, value, isPlain };
}
