import { sortedKeys } from '../values/order.ts';
import { formatValue, isObject, type JsonObject, typeText } from '../values/value.ts';
import { type Anchor, parseAnchor } from './anchor.ts';
import { copyPattern, expandMetadataWildcards, hasMetadata } from './metadata-wildcards.ts';
import {
  combinedSkip,
  conditionMismatch,
  globalMismatch,
  isNegation,
  isSkip,
  type Mismatch,
  negationMismatch,
} from './mismatch.ts';
import { satisfies } from './scalar.ts';

/** How deep patterns may nest. */
const depthLimit = 2000;

/** What became of a resource that is not as a pattern wants it. */
export type PatternResult =
  | { readonly kind: 'skip'; readonly message: string }
  | { readonly kind: 'fail'; readonly message: string; readonly path: string };

/**
 * Compares a resource with a pattern (Kyverno's `validate.MatchPattern`); undefined when it is as wanted.
 *
 * A failure with an empty path is an error.
 */
export function matchPattern(resource: unknown, pattern: unknown): PatternResult | undefined {
  const matcher = new PatternMatcher();
  const own = hasMetadata(pattern) ? copyPattern(pattern) : pattern;
  const mismatch = matcher.element(resource, own, '/', 0);
  if (mismatch === undefined) return undefined;
  if (isSkip(mismatch)) return { kind: 'skip', message: mismatch.message };
  const isError = !isNegation(mismatch) && matcher.missesAnchorKeys();
  return { kind: 'fail', message: mismatch.message, path: isError ? '' : mismatch.path };
}

const anchorPresence = new WeakMap<object, boolean>();

/** Whether a pattern holds anchors that validation knows, at any depth. */
function hasAnchors(pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return false;
  const known = anchorPresence.get(pattern);
  if (known !== undefined) return known;
  const found = Array.isArray(pattern)
    ? pattern.some(hasAnchors)
    : Object.keys(pattern).some(
        (key) => isAnchored(key) || hasAnchors((pattern as JsonObject)[key]),
      );
  anchorPresence.set(pattern, found);
  return found;
}

function isAnchored(key: string): boolean {
  const anchor = parseAnchor(key);
  return anchor !== undefined && anchor.modifier !== '+';
}

class PatternMatcher {
  readonly #anchorKeys = new Map<string, boolean>();

  /** Whether a condition or existence anchor was never found in a map it was compared with. */
  missesAnchorKeys(): boolean {
    for (const [key, isFound] of this.#anchorKeys) {
      if (!isFound && parseAnchor(key)?.modifier !== 'X') return true;
    }
    return false;
  }

  element(resource: unknown, pattern: unknown, path: string, depth: number): Mismatch | undefined {
    if (depth > depthLimit) return { path: '', message: 'the pattern is nested too deeply' };
    if (isObject(pattern)) {
      if (!isObject(resource)) return structureMismatch(resource, pattern, path);
      this.#noteAnchors(pattern, resource);
      return this.#map(resource, pattern, path, depth);
    }
    if (Array.isArray(pattern)) {
      if (Array.isArray(resource)) return this.#list(resource, pattern, path, depth);
      const message = `validation rule failed at path ${path}, resource does not satisfy the expected overlay pattern`;
      return { path, message };
    }
    const isSatisfied = Array.isArray(resource)
      ? resource.every((item) => satisfies(item, pattern))
      : satisfies(resource, pattern);
    if (isSatisfied) return undefined;
    const message = `resource value '${formatValue(resource)}' does not match '${formatValue(pattern)}' at path ${path}`;
    return { path, message };
  }

  #noteAnchors(pattern: JsonObject, resource: JsonObject): void {
    for (const key of Object.keys(pattern)) {
      const anchor = parseAnchor(key);
      if (anchor === undefined || !['', '^', 'X'].includes(anchor.modifier)) continue;
      if (this.#anchorKeys.get(key) === true) continue;
      this.#anchorKeys.set(key, Object.hasOwn(resource, anchor.key));
    }
  }

  #map(
    resource: JsonObject,
    pattern: JsonObject,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    expandMetadataWildcards(pattern, resource);
    const anchored: [string, Anchor][] = [];
    const others: string[] = [];
    for (const key of sortedKeys(pattern)) {
      const anchor = parseAnchor(key);
      if (anchor === undefined || anchor.modifier === '+' || anchor.modifier === '<')
        others.push(key);
      else anchored.push([key, anchor]);
    }
    const refused = this.#anchors(anchored, resource, pattern, path, depth);
    if (refused !== undefined) return refused;
    for (const key of nestedFirst(others, pattern)) {
      const anchor = parseAnchor(key);
      const mismatch =
        anchor?.modifier === '<'
          ? this.#global(anchor, resource, pattern[key], path, depth)
          : this.#plain(key, resource, pattern[key], path, depth);
      if (mismatch !== undefined) return mismatch;
    }
    return undefined;
  }

  #anchors(
    anchored: readonly (readonly [string, Anchor])[],
    resource: JsonObject,
    pattern: JsonObject,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const skips: Mismatch[] = [];
    let applied = 0;
    for (const [key, anchor] of anchored) {
      const mismatch = this.#anchor(anchor, resource, pattern[key], path, depth);
      if (mismatch === undefined) applied++;
      else if (isSkip(mismatch)) skips.push(mismatch);
      else if (!skips.some(isDirect)) return mismatch;
    }
    if (skips.length === 0 || (applied > 0 && !skips.some(isDirect))) return undefined;
    return combinedSkip(path, skips);
  }

  #anchor(
    anchor: Anchor,
    resource: JsonObject,
    pattern: unknown,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const { key, modifier } = anchor;
    const place = `${path}${key}/`;
    const isPresent = Object.hasOwn(resource, key);
    switch (modifier) {
      case 'X':
        return isPresent ? negationMismatch(place) : undefined;
      case '=':
        return isPresent ? this.element(resource[key], pattern, place, depth + 1) : undefined;
      case '^':
        return isPresent ? this.#existence(resource[key], pattern, place, depth) : undefined;
      default: {
        if (!isPresent) {
          return conditionMismatch(place, "conditional anchor key doesn't exist in the resource");
        }
        const inner = this.element(resource[key], pattern, place, depth + 1);
        return inner && conditionMismatch(inner.path, inner.message);
      }
    }
  }

  #existence(value: unknown, pattern: unknown, path: string, depth: number): Mismatch | undefined {
    if (!Array.isArray(value)) {
      const message = `invalid resource type ${typeText(value)}: Existence ^ () anchor can be used only on list/array type resource`;
      return { path, message };
    }
    if (!Array.isArray(pattern)) {
      const message = `invalid pattern type ${typeText(pattern)}: Pattern has to be of list to compare against resource`;
      return { path, message };
    }
    for (const item of pattern) {
      if (!isObject(item)) {
        const message = `invalid pattern type ${typeText(pattern)}: Pattern has to be of type map to compare against items in resource`;
        return { path, message };
      }
      const exists = value.some(
        (candidate, at) => this.element(candidate, item, `${path}${at}/`, depth + 1) === undefined,
      );
      if (!exists) return { path, message: `existence anchor validation failed at path ${path}` };
    }
    return undefined;
  }

  #global(
    { key }: Anchor,
    resource: JsonObject,
    pattern: unknown,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    if (!Object.hasOwn(resource, key)) return undefined;
    const inner = this.element(resource[key], pattern, `${path}${key}/`, depth + 1);
    return inner && globalMismatch(inner.path, inner.message);
  }

  #plain(
    key: string,
    resource: JsonObject,
    pattern: unknown,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const value = Object.hasOwn(resource, key) ? (resource[key] ?? null) : null;
    if (pattern !== '*') return this.element(value, pattern, `${path}${key}/`, depth + 1);
    return value === null ? { path, message: `${path}/${key} not found` } : undefined;
  }

  #list(
    resource: readonly unknown[],
    pattern: readonly unknown[],
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const first = pattern[0];
    if (pattern.length === 0) return { path, message: 'pattern Array empty' };
    if (isObject(first)) return this.#items(resource, () => first, resource.length, path, depth);
    if (!Array.isArray(first)) return this.element(resource, first, path, depth + 1);
    if (resource.length < pattern.length) {
      const message = `validate Array failed, array length mismatch, resource Array len is ${resource.length} and pattern Array len is ${pattern.length}`;
      return { path: '', message };
    }
    return this.#items(resource, (at) => pattern[at], pattern.length, path, depth);
  }

  #items(
    resource: readonly unknown[],
    patternAt: (at: number) => unknown,
    count: number,
    path: string,
    depth: number,
  ): Mismatch | undefined {
    const skips: Mismatch[] = [];
    for (let at = 0; at < count; at++) {
      const mismatch = this.element(resource[at], patternAt(at), `${path}${at}/`, depth + 1);
      if (mismatch === undefined) continue;
      if (!isSkip(mismatch)) return mismatch;
      skips.push(mismatch);
    }
    return skips.length > 0 && skips.length === count ? combinedSkip(path, skips) : undefined;
  }
}

function isDirect(mismatch: Mismatch): boolean {
  return mismatch.isCombined !== true;
}

function structureMismatch(resource: unknown, pattern: unknown, path: string): Mismatch {
  const types = `Expected ${typeText(pattern)}, found ${typeText(resource)}`;
  return {
    path,
    message: `pattern and resource have different structures. Path: ${path}. ${types}`,
  };
}

/** Keys with anchors below them come first, the last one at the front; then the others in their order. */
function nestedFirst(keys: readonly string[], pattern: JsonObject): readonly string[] {
  const nested: string[] = [];
  const plain: string[] = [];
  for (const key of keys) {
    const goesFirst = parseAnchor(key)?.modifier === '<' || hasAnchors(pattern[key]);
    (goesFirst ? nested : plain).push(key);
  }
  return nested.length === 0 ? keys : [...nested.reverse(), ...plain];
}
