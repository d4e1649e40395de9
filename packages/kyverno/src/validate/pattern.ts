import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { copyJson } from '@kubeadmit/apimachinery/unstable-internal';
import { formatType, formatValue } from '@kubeadmit/go';
import { parseAnchor } from '../patterns/anchor.ts';
import { expandsMetadata } from './metadata-wildcards.ts';
import {
  type Compared,
  combinedSkip,
  conditionMismatch,
  globalMismatch,
  isNegation,
  isSkip,
  type Mismatch,
  negationMismatch,
} from './mismatch.ts';
import {
  type ListNode,
  type MapNode,
  type Member,
  nodeOf,
  type PatternNode,
} from './pattern-node.ts';

/** How deep patterns may nest. */
const depthLimit = 2000;

/** The result for a resource that does not match a pattern. */
export type PatternResult =
  | ({ readonly kind: 'skip' } & Mismatched)
  | ({ readonly kind: 'fail' } & Mismatched);

interface Mismatched {
  readonly message: string;
  readonly path: string;
  readonly compared: Compared | undefined;
}

/** A pattern made ready, to be compared with many resources. */
export class CompiledPattern {
  readonly #pattern: unknown;
  /** Whether comparing changes the pattern, so that every comparison needs its own. */
  readonly #changes: boolean;
  readonly #root: PatternNode;

  constructor(pattern: unknown) {
    this.#pattern = pattern;
    this.#changes = expandsMetadata(pattern);
    this.#root = nodeOf(pattern, this.#changes);
  }

  /**
   * Compares a resource with the pattern (Kyverno's `validate.MatchPattern`); undefined when it is as wanted.
   *
   * A failure with an empty path is an error.
   */
  match(resource: unknown): PatternResult | undefined {
    const root = this.#changes ? nodeOf(copyJson(this.#pattern), true) : this.#root;
    const matcher = new PatternMatcher();
    const mismatch = matcher.element(resource, root, '/', 0);
    if (mismatch === undefined) return undefined;
    const { message, path, compared } = mismatch;
    if (isSkip(mismatch)) return { kind: 'skip', message, path, compared };
    const isError = !isNegation(mismatch) && matcher.missesAnchorKeys();
    return { kind: 'fail', message, path: isError ? '' : path, compared };
  }
}

/** Compares a resource with a pattern that is used only once. */
export function matchPattern(resource: unknown, pattern: unknown): PatternResult | undefined {
  return new CompiledPattern(pattern).match(resource);
}

class PatternMatcher {
  #anchorKeys: Map<string, boolean> | undefined;

  /** Whether a condition or existence anchor was never found in a map it was compared with. */
  missesAnchorKeys(): boolean {
    if (this.#anchorKeys === undefined) return false;
    for (const [key, isFound] of this.#anchorKeys) {
      if (!isFound && parseAnchor(key)?.modifier !== 'X') return true;
    }
    return false;
  }

  element(resource: unknown, node: PatternNode, path: string, depth: number): Mismatch | undefined {
    if (depth > depthLimit) return { path: '', message: 'the pattern is nested too deeply' };
    if (node.kind === 'map') {
      if (!isObject(resource)) return structureMismatch(resource, node.pattern, path);
      return this.#map(resource, node, path, depth);
    }
    if (node.kind === 'list') {
      if (Array.isArray(resource)) return this.#list(resource, node, path, depth);
      const message = `validation rule failed at path ${path}, resource does not satisfy the expected overlay pattern`;
      return { path, message, compared: { found: resource, wanted: node.pattern } };
    }
    const { test } = node;
    const isSatisfied = Array.isArray(resource)
      ? resource.every((item) => test(item))
      : test(resource);
    if (isSatisfied) return undefined;
    const message = `resource value '${formatValue(resource)}' does not match '${formatValue(node.pattern)}' at path ${path}`;
    return { path, message, compared: { found: resource, wanted: node.pattern } };
  }

  #noteAnchors(anchored: readonly Member[], resource: JsonObject): void {
    this.#anchorKeys ??= new Map();
    for (const { written, anchor, key } of anchored) {
      if (anchor?.modifier === '=' || this.#anchorKeys.get(written) === true) continue;
      this.#anchorKeys.set(written, Object.hasOwn(resource, key));
    }
  }

  #map(resource: JsonObject, node: MapNode, path: string, depth: number): Mismatch | undefined {
    node.expand(resource);
    const { anchored, others } = node;
    if (anchored.length > 0) {
      this.#noteAnchors(anchored, resource);
      const refused = this.#anchors(anchored, resource, path, depth);
      if (refused !== undefined) return refused;
    }
    for (const member of others) {
      const mismatch =
        member.anchor?.modifier === '<'
          ? this.#global(member, resource, path, depth)
          : this.#plain(member, resource, path, depth);
      if (mismatch !== undefined) return mismatch;
    }
    return undefined;
  }

  #anchors(
    anchored: readonly Member[],
    resource: JsonObject,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const skips: Mismatch[] = [];
    let applied = 0;
    for (const member of anchored) {
      const mismatch = this.#anchor(member, resource, path, depth);
      if (mismatch === undefined) applied++;
      else if (isSkip(mismatch)) skips.push(mismatch);
      else if (!skips.some(isDirect)) return mismatch;
    }
    if (skips.length === 0 || (applied > 0 && !skips.some(isDirect))) return undefined;
    return combinedSkip(path, skips);
  }

  #anchor(
    { anchor, key, step, node }: Member,
    resource: JsonObject,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const place = path + step;
    const isPresent = Object.hasOwn(resource, key);
    switch (anchor?.modifier) {
      case 'X':
        return isPresent
          ? negationMismatch(place, { found: resource[key], wanted: node.pattern })
          : undefined;
      case '=':
        return isPresent ? this.element(resource[key], node, place, depth + 1) : undefined;
      case '^':
        return isPresent ? this.#existence(resource[key], node, place, depth) : undefined;
      default: {
        if (!isPresent) {
          const reason = "conditional anchor key doesn't exist in the resource";
          return conditionMismatch(place, reason, { found: undefined, wanted: node.pattern });
        }
        const inner = this.element(resource[key], node, place, depth + 1);
        return inner && conditionMismatch(inner.path, inner.message, inner.compared);
      }
    }
  }

  #existence(value: unknown, node: PatternNode, path: string, depth: number): Mismatch | undefined {
    if (!Array.isArray(value)) {
      const message = `invalid resource type ${formatType(value)}: Existence ^ () anchor can be used only on list/array type resource`;
      return { path, message };
    }
    if (node.kind !== 'list') {
      const message = `invalid pattern type ${formatType(node.pattern)}: Pattern has to be of list to compare against resource`;
      return { path, message };
    }
    for (const item of node.items) {
      if (item.kind !== 'map') {
        const message = `invalid pattern type ${formatType(node.pattern)}: Pattern has to be of type map to compare against items in resource`;
        return { path, message };
      }
      const exists = value.some(
        (candidate, at) => this.element(candidate, item, `${path}${at}/`, depth + 1) === undefined,
      );
      if (!exists) {
        const message = `existence anchor validation failed at path ${path}`;
        return { path, message, compared: { found: value, wanted: node.pattern } };
      }
    }
    return undefined;
  }

  #global(
    { key, step, node }: Member,
    resource: JsonObject,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    if (!Object.hasOwn(resource, key)) return undefined;
    const inner = this.element(resource[key], node, path + step, depth + 1);
    return inner && globalMismatch(inner);
  }

  #plain(
    { key, step, node }: Member,
    resource: JsonObject,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const isPresent = Object.hasOwn(resource, key);
    const value = isPresent ? (resource[key] ?? null) : null;
    if (node.pattern !== '*') {
      const mismatch = this.element(value, node, path + step, depth + 1);
      if (mismatch === undefined || isPresent) return mismatch;
      return { ...mismatch, compared: { found: undefined, wanted: node.pattern } };
    }
    if (value !== null) return undefined;
    const compared = { found: undefined, wanted: node.pattern };
    return { path, message: `${path}/${key} not found`, compared };
  }

  #list(
    resource: readonly unknown[],
    node: ListNode,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const { items } = node;
    const [first] = items;
    if (first === undefined) return { path, message: 'pattern Array empty' };
    if (first.kind === 'map') {
      return this.#items(resource, () => first, resource.length, path, depth);
    }
    if (first.kind === 'scalar') return this.element(resource, first, path, depth + 1);
    if (resource.length < items.length) {
      const message = `validate Array failed, array length mismatch, resource Array len is ${resource.length} and pattern Array len is ${items.length}`;
      return { path: '', message, compared: { found: resource, wanted: node.pattern } };
    }
    return this.#items(resource, (at) => items[at] ?? first, items.length, path, depth);
  }

  #items(
    resource: readonly unknown[],
    nodeAt: (at: number) => PatternNode,
    count: number,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    let skips: Mismatch[] | undefined;
    for (let at = 0; at < count; at++) {
      const mismatch = this.element(resource[at], nodeAt(at), `${path}${at}/`, depth + 1);
      if (mismatch === undefined) continue;
      if (!isSkip(mismatch)) return mismatch;
      skips ??= [];
      skips.push(mismatch);
    }
    return skips !== undefined && skips.length === count ? combinedSkip(path, skips) : undefined;
  }
}

function isDirect(mismatch: Mismatch): boolean {
  return mismatch.isCombined !== true;
}

function structureMismatch(resource: unknown, pattern: unknown, path: string): Mismatch {
  const types = `Expected ${formatType(pattern)}, found ${formatType(resource)}`;
  return {
    path,
    message: `pattern and resource have different structures. Path: ${path}. ${types}`,
    compared: { found: resource, wanted: pattern },
  };
}
