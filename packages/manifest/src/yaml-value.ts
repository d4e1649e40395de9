import { setKey } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { allowedAliasRatio } from '@kubeadmit/go/unstable-internal';
import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import { type AliasTargets, isMergeKey, linkAliases, scalarText } from './yaml-nodes.ts';
import type { Problem } from './yaml-problem.ts';
import { resolveKey, resolveScalar, type Scalar as ScalarText } from './yaml-scalar.ts';

/** The value of a tree, and its problems. */
interface BuiltValue {
  readonly value: Value;
  readonly problems: readonly Problem[];
}

/** Returns the value that goyaml.v2 reads from the tree of a text, with its problems. */
export function buildValue(root: Node | null, text: string): BuiltValue {
  const builder = new Builder(linkAliases(root), text);
  return { value: builder.build(root), problems: builder.problems };
}

/** An end to the work on a document that would grow without bound. */
const excessive = Symbol('excessive aliasing');

class Builder {
  readonly problems: Problem[] = [];
  readonly #targets: AliasTargets;
  readonly #text: string;
  readonly #open = new Set<Alias>();
  #decoded = 0;
  #aliased = 0;

  constructor(targets: AliasTargets, text: string) {
    this.#targets = targets;
    this.#text = text;
  }

  build(root: Node | null): Value {
    try {
      return this.#value(root);
    } catch (error) {
      if (error !== excessive) throw error;
      return null;
    }
  }

  #value(node: unknown): Value {
    this.#decoded++;
    if (this.#open.size > 0) this.#aliased++;
    if (
      this.#aliased > 100 &&
      this.#decoded > 1000 &&
      this.#aliased / this.#decoded > allowedAliasRatio(this.#decoded)
    ) {
      this.#report(node, 'document contains excessive aliasing');
      throw excessive;
    }
    if (isScalar(node)) {
      const resolved = resolveScalar(this.#scalarText(node));
      if ('value' in resolved) return resolved.value;
      this.#report(node, resolved.problem);
      return null;
    }
    if (isSeq(node)) return node.items.map((item) => this.#value(item));
    if (isMap(node)) {
      const object: Record<string, Value> = {};
      this.#fill(object, node);
      return object;
    }
    return isAlias(node) ? this.#follow(node, (target) => this.#value(target)) : null;
  }

  /** The parts of a scalar. A block at the end of a text without a final line break has none either. */
  #scalarText(node: Scalar): ScalarText {
    const scalar = scalarText(node);
    const { type, range } = node;
    const isLast = type?.startsWith('BLOCK') === true && range?.[1] === this.#text.length;
    return isLast && !this.#text.endsWith('\n')
      ? { ...scalar, text: scalar.text.replace(/\n$/, '') }
      : scalar;
  }

  #fill(object: Record<string, Value>, map: YAMLMap): void {
    const own = new Set<string>();
    for (const pair of map.items) {
      if (isMergeKey(pair.key)) {
        this.#merge(object, pair.value ?? pair.key);
        continue;
      }
      const key = this.#key(pair.key);
      const value = this.#value(pair.value);
      if (key === undefined) continue;
      if (own.has(key)) {
        this.#report(pair.key, `key ${JSON.stringify(key)} already set in map`, true);
      }
      own.add(key);
      setKey(object, key, value);
    }
  }

  #key(node: unknown): string | undefined {
    this.#decoded++;
    if (isAlias(node)) return this.#follow(node, (target) => this.#key(target)) ?? undefined;
    const found = isScalar(node)
      ? resolveKey(scalarText(node))
      : { problem: 'a key must be a scalar' };
    if ('key' in found) return found.key;
    this.#report(node, found.problem);
    return undefined;
  }

  #merge(object: Record<string, Value>, node: unknown): void {
    const parts = isSeq(node) ? node.items.toReversed() : [node];
    for (const part of parts) {
      const target = isAlias(part) ? this.#targets.get(part) : part;
      if (isMap(target)) {
        if (isAlias(part)) this.#follow(part, () => this.#fill(object, target));
        else this.#fill(object, target);
      } else if (isAlias(part) && target === undefined) {
        this.#report(part, `unknown anchor '${part.source}' referenced`);
      } else {
        this.#report(part, 'map merge requires map or sequence of maps as the value');
      }
    }
  }

  #follow<T>(alias: Alias, use: (target: Node) => T): T | null {
    const target = this.#targets.get(alias);
    if (target === undefined || this.#open.has(alias)) {
      this.#report(
        alias,
        target === undefined
          ? `unknown anchor '${alias.source}' referenced`
          : `anchor '${alias.source}' value contains itself`,
      );
      return null;
    }
    this.#open.add(alias);
    const result = use(target);
    this.#open.delete(alias);
    return result;
  }

  #report(node: unknown, message: string, isDuplicate = false): void {
    const hasRange = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
    const offset = (hasRange ? node.range?.[0] : undefined) ?? 0;
    this.problems.push({ message, offset, ...(isDuplicate ? { isDuplicate } : {}) });
  }
}
