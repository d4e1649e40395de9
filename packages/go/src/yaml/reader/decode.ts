import { resolveScalar } from '../resolve-scalar.ts';
import { formatGo, type YamlMap, type YamlValue } from '../yaml-json.ts';
import { BrokenYaml } from './characters.ts';
import { deepestYaml, type YamlNode } from './compose.ts';

const mergeTag = 'tag:yaml.org,2002:merge';

/** Makes the value of a document's tree (yaml.v2's decoder, into an empty interface). */
export class YamlDecoder {
  /** Findings of a strict decoder: repeated keys of mappings, of which the last one counts. */
  readonly findings: string[] = [];
  readonly #open = new Set<YamlNode>();
  // The document is the first thing that is decoded.
  #decoded = 1;
  #aliased = 0;

  /** Throws {@link BrokenYaml} where a node has no value. */
  decode(node: YamlNode): YamlValue {
    return this.#value(node, 0);
  }

  #value(node: YamlNode, depth: number): YamlValue {
    this.#count(depth);
    if (node.type === 'alias') {
      return this.#follow(node, (target) => this.#value(target, depth + 1));
    }
    if (node.type === 'scalar') return scalarValue(node);
    if (node.type === 'sequence') return node.children.map((item) => this.#value(item, depth + 1));
    const map: YamlMap = new Map();
    this.#fill(map, node.children, depth + 1);
    return map;
  }

  #fill(map: YamlMap, children: readonly YamlNode[], depth: number): void {
    for (let at = 0; at + 1 < children.length; at += 2) {
      const [keyNode, valueNode] = children.slice(at, at + 2) as [YamlNode, YamlNode];
      if (isMerge(keyNode)) {
        this.#merge(map, valueNode, depth);
        continue;
      }
      const key = this.#value(keyNode, depth);
      if (typeof key === 'object' && key !== null) {
        throw new BrokenYaml(`invalid map key: ${formatGo(key)}`);
      }
      const value = this.#value(valueNode, depth);
      if (map.has(key)) {
        const line = valueNode.line + 1;
        this.findings.push(`line ${line}: key ${formatGo(key)} already set in map`);
      }
      map.set(key, value);
    }
  }

  #merge(map: YamlMap, node: YamlNode, depth: number): void {
    if (node.type !== 'sequence') {
      this.#mergeOne(map, node, depth);
      return;
    }
    for (const part of node.children.toReversed()) this.#mergeOne(map, part, depth);
  }

  #mergeOne(map: YamlMap, node: YamlNode, depth: number): void {
    const mapping = node.type === 'alias' ? node.target : node;
    if (mapping.type !== 'mapping') {
      throw new BrokenYaml('map merge requires map or sequence of maps as the value');
    }
    this.#count(depth);
    if (node.type !== 'alias') {
      this.#fill(map, mapping.children, depth + 1);
      return;
    }
    this.#follow(node, () => {
      this.#count(depth + 1);
      this.#fill(map, mapping.children, depth + 1);
    });
  }

  #follow<T>(node: Extract<YamlNode, { readonly type: 'alias' }>, use: (target: YamlNode) => T): T {
    if (this.#open.has(node)) throw new BrokenYaml(`anchor '${node.name}' value contains itself`);
    this.#open.add(node);
    const result = use(node.target);
    this.#open.delete(node);
    return result;
  }

  #count(depth: number): void {
    this.#decoded++;
    if (this.#open.size > 0) this.#aliased++;
    const decoded = this.#decoded;
    const aliased = this.#aliased;
    if (aliased > 100 && decoded > 1000 && aliased / decoded > allowedAliasRatio(decoded)) {
      throw new BrokenYaml('document contains excessive aliasing');
    }
    if (depth > deepestYaml) throw new BrokenYaml('nested too deeply');
  }
}

function scalarValue(node: Extract<YamlNode, { readonly type: 'scalar' }>): YamlValue {
  if (node.tag === '' && !node.isPlain) return node.value;
  const resolved = resolveScalar(node.value, node.tag);
  if ('problem' in resolved) throw new BrokenYaml(resolved.problem);
  return resolved.value;
}

function isMerge(node: YamlNode): boolean {
  if (node.type !== 'scalar' || node.value !== '<<') return false;
  return node.isPlain || node.tag === mergeTag;
}

/** Which part (0 to 1) of so many decoded nodes may come from aliases: less of a large document (yaml.v2, decode.go). */
export function allowedAliasRatio(decoded: number): number {
  if (decoded <= 400_000) return 0.99;
  if (decoded >= 4_000_000) return 0.1;
  return 0.99 - 0.89 * ((decoded - 400_000) / 3_600_000);
}
