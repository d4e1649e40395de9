import { getOrMake } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { composeYaml } from './compose-yaml.ts';
import { scalarOffsets } from './scalar-source.ts';
import type { TextRange } from './source.ts';
import { type AliasTargets, isMergeKey, linkAliases, scalarText } from './yaml-nodes.ts';
import { resolveKey } from './yaml-scalar.ts';

/** The way from a document's root to a value: keys and indexes. */
export type Path = readonly (string | number)[];

/** Where the values of one YAML or JSON document stand in its text. */
export class Locator {
  readonly #text: string;
  readonly #root: Node | null;
  readonly #targets: AliasTargets;
  /** The offsets of strings; a long expression can have many issues. */
  readonly #offsets: WeakMap<Scalar, readonly number[] | null> = new WeakMap();

  /** `index` counts the documents of the text from 0. */
  constructor(text: string, index: number) {
    this.#text = text;
    this.#root = composeYaml(text)[index]?.contents ?? null;
    this.#targets = linkAliases(this.#root);
  }

  /**
   * The index in the text of the value at a path, or of the last value on the way that exists.
   *
   * With `within`, the index of that UTF-16 unit of a string, through block indentation, folding
   * and escapes; the string's begin where it cannot be followed.
   */
  offset(path: Path, within?: number): number {
    const part = within === undefined ? undefined : { start: within, end: within };
    return this.range(path, part).start;
  }

  /**
   * Returns the range of the value at a path, or of the last existing value on the path. The range of a collection
   * with several lines ends with its first line.
   *
   * With `within`, returns the range of a part of a string, given in its UTF-16 units.
   */
  range(path: Path, within?: TextRange): TextRange {
    let node: unknown = this.#root;
    let found = node;
    for (const step of path) {
      const next = this.#step(node, step);
      if (next === undefined) return this.#whole(found);
      found = rangeOf(next.value) === undefined ? next.key : next.value;
      node = next.value;
    }
    const target = this.#resolve(node);
    if (within === undefined || !isScalar(target)) return this.#whole(found);
    const offsets = getOrMake(
      this.#offsets,
      target,
      () => scalarOffsets(this.#text, target) ?? null,
    );
    if (offsets === null) return this.#whole(target);
    const at = (unit: number): number => offsets[Math.min(unit, offsets.length - 1)] ?? 0;
    return { start: at(within.start), end: at(within.end) };
  }

  /** Returns the range of the key at the end of a path, or `undefined`. */
  keyRange(path: Path): TextRange | undefined {
    let node: unknown = this.#root;
    let key: unknown;
    for (const step of path) {
      const next = this.#step(node, step);
      if (next === undefined) return undefined;
      ({ value: node, key } = { key: undefined, ...next });
    }
    return rangeOf(key);
  }

  #whole(node: unknown): TextRange {
    const { start, end } = rangeOf(node) ?? { start: 0, end: 0 };
    if (isScalar(node))
      return { start, end: start + this.#text.slice(start, end).trimEnd().length };
    const newline = this.#text.indexOf('\n', start);
    return { start, end: newline === -1 ? end : Math.min(end, newline) };
  }

  #resolve(node: unknown): unknown {
    return isAlias(node) ? this.#targets.get(node) : node;
  }

  #step(node: unknown, step: string | number): { key?: unknown; value: unknown } | undefined {
    const target = this.#resolve(node);
    if (isSeq(target)) {
      const value = target.items[Number(step)];
      return value === undefined ? undefined : { value };
    }
    if (!isMap(target)) return undefined;
    let found: { key?: unknown; value: unknown } | undefined;
    for (const pair of target.items) {
      if (isMergeKey(pair.key)) {
        found = this.#merged(pair.value, step) ?? found;
        continue;
      }
      const keyNode = this.#resolve(pair.key);
      const key = isScalar(keyNode) ? resolveKey(scalarText(keyNode)) : undefined;
      if (key !== undefined && 'key' in key && key.key === String(step)) {
        found = { key: pair.key, value: pair.value };
      }
    }
    return found;
  }

  #merged(node: unknown, step: string | number): { value: unknown } | undefined {
    const target = this.#resolve(node);
    if (!isSeq(target)) return this.#step(target, step);
    for (const item of target.items) {
      const found = this.#step(item, step);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function rangeOf(node: unknown): TextRange | undefined {
  if (!isScalar(node) && !isMap(node) && !isSeq(node) && !isAlias(node)) return undefined;
  if (!node.range) return undefined;
  const [start, end] = node.range;
  return { start, end };
}

/** Reads a Kubernetes field path such as `spec.validations[0].expression` or `metadata.labels[a.b]`. */
export function parseFieldPath(text: string): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const match of text.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)) {
    const inner = match[1];
    if (inner === undefined) steps.push(match[0]);
    else steps.push(/^\d+$/.test(inner) ? Number(inner) : inner);
  }
  return steps;
}

/** Returns the value at a path, or `undefined`. */
export function valueAt(root: Value, path: Path): Value | undefined {
  let value: unknown = root;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) {
      return undefined;
    } else value = (value as Record<string, unknown>)[step];
  }
  return value as Value | undefined;
}
