import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { sortedKeys } from '@kubeadmit/go';
import { type Anchor, parseAnchor } from '../patterns/anchor.ts';
import { compileScalar, type ScalarTest } from '../patterns/scalar.ts';
import { expandMetadataWildcards } from './metadata-wildcards.ts';

/** A value of a pattern. The content of maps and lists is read on the first comparison. */
export type PatternNode = MapNode | ListNode | ScalarNode;

/** Makes a part of a pattern ready; one that comparing changes must be the comparison's own. */
export function nodeOf(pattern: unknown, changes: boolean): PatternNode {
  if (isObject(pattern)) return new MapNode(pattern, changes);
  return Array.isArray(pattern) ? new ListNode(pattern, changes) : new ScalarNode(pattern);
}

/** A member of a map of a pattern. */
export interface Member {
  readonly written: string;
  readonly anchor: Anchor | undefined;
  /** The key in the resource. */
  readonly key: string;
  /** The last step of the value's path. */
  readonly step: string;
  readonly node: PatternNode;
}

/** A map of a pattern. */
export class MapNode {
  readonly kind = 'map';
  readonly pattern: JsonObject;
  readonly #changes: boolean;
  #anchored: readonly Member[] | undefined;
  #others: readonly Member[] = [];

  constructor(pattern: JsonObject, changes: boolean) {
    this.pattern = pattern;
    this.#changes = changes;
  }

  /** The members that are compared first, since they decide whether the others are, by their keys. */
  get anchored(): readonly Member[] {
    return this.#anchored ?? this.#read();
  }

  /** The other members in the order in which they are compared. */
  get others(): readonly Member[] {
    if (this.#anchored === undefined) this.#read();
    return this.#others;
  }

  /** Gives wildcards in labels and annotations the keys that a resource has. */
  expand(resource: JsonObject): void {
    if (!this.#changes) return;
    expandMetadataWildcards(this.pattern, resource);
    this.#anchored = undefined;
  }

  #read(): readonly Member[] {
    const anchored: Member[] = [];
    const nested: Member[] = [];
    const plain: Member[] = [];
    for (const written of sortedKeys(this.pattern)) {
      const value = this.pattern[written];
      const member = memberOf(written, value, this.#changes);
      const modifier = member.anchor?.modifier;
      if (modifier !== undefined && modifier !== '+' && modifier !== '<') anchored.push(member);
      else if (modifier === '<' || hasAnchors(value)) nested.push(member);
      else plain.push(member);
    }
    this.#anchored = anchored;
    // Members with anchors below them come first, the last one at the front.
    this.#others = nested.length === 0 ? plain : [...nested.reverse(), ...plain];
    return anchored;
  }
}

function memberOf(written: string, value: unknown, changes: boolean): Member {
  const anchor = parseAnchor(written);
  const key = anchor === undefined || anchor.modifier === '+' ? written : anchor.key;
  return { written, anchor, key, step: `${key}/`, node: nodeOf(value, changes) };
}

/** A list of a pattern. */
export class ListNode {
  readonly kind = 'list';
  readonly pattern: readonly unknown[];
  readonly #changes: boolean;
  #items: readonly PatternNode[] | undefined;

  constructor(pattern: readonly unknown[], changes: boolean) {
    this.pattern = pattern;
    this.#changes = changes;
  }

  get items(): readonly PatternNode[] {
    this.#items ??= this.pattern.map((item) => nodeOf(item, this.#changes));
    return this.#items;
  }
}

/** A value of a pattern that is neither map nor list. */
export class ScalarNode {
  readonly kind = 'scalar';
  readonly pattern: unknown;
  #test: ScalarTest | undefined;

  constructor(pattern: unknown) {
    this.pattern = pattern;
  }

  get test(): ScalarTest {
    this.#test ??= compileScalar(this.pattern);
    return this.#test;
  }
}

/** Whether a pattern holds anchors that validation knows, at any depth. */
function hasAnchors(pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return false;
  if (Array.isArray(pattern)) return pattern.some(hasAnchors);
  return Object.keys(pattern).some(
    (key) => isAnchored(key) || hasAnchors((pattern as JsonObject)[key]),
  );
}

function isAnchored(key: string): boolean {
  const anchor = parseAnchor(key);
  return anchor !== undefined && anchor.modifier !== '+';
}
