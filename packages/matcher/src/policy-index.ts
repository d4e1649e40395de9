import { getOrMake } from '@kubeadmit/base';
import type { MatchResources, RequestAttributes } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { requireMatch } from './arguments.ts';
import { type CompiledMatch, type MatchEnvironment, prospectOf } from './match.ts';
import {
  isAlike,
  keysOf,
  keysOfResources,
  kindOfRequest,
  type RequestKind,
} from './request-kind.ts';

/** References to entries that are kept over all kinds of requests, which may name resources that do not exist. */
const keptReferences = 1_000_000;

/** Kinds of requests whose entries are kept. */
const keptKinds = 4096;

/** Something that has match criteria. */
export interface Indexed<Entry> {
  /** The name that orders the entries. */
  readonly name: string;
  /** The match criteria of the entry. */
  readonly criteria: MatchResources;
  /** The criteria, compiled. */
  readonly match: CompiledMatch;
  /** Further criteria, one of which has to match too; `undefined` among them matches everything. */
  readonly alternatives: readonly (CompiledMatch | undefined)[];
  /** The entry itself. */
  readonly entry: Entry;
}

/**
 * Finds the policies that may match a request, so that the request pays only for those.
 *
 * Considers everything that does not depend on objects and names: rules, scopes, operations, the namespace selector.
 * The result for a kind of request is cached until an entry with one of its resources is added or removed.
 *
 * INVARIANT: the labels of a namespace and the kinds of the environment stay the same between two calls of
 * `reconsider`.
 */
export class PolicyIndex<Entry> {
  /** The entries, and in which order they were added. */
  readonly #order: Map<Indexed<Entry>, number> = new Map();
  readonly #byKey: Map<string, Set<Indexed<Entry>>> = new Map();
  /** The entries found for each kind of request. */
  readonly #found: Map<string, readonly Entry[]> = new Map();
  /** The cached kinds of requests, by the keys of their resources. */
  readonly #askedByKey: Map<string, Set<string>> = new Map();
  /** How many times something was found, and how many entries, since all of it was let go. */
  #finds: number = 0;
  #references: number = 0;
  /** The last result: consecutive requests are often of one kind. */
  #last: { readonly request: RequestKind; readonly found: readonly Entry[] } | undefined;
  #added: number = 0;

  /** Whether nothing is found for any request. */
  get isEmpty(): boolean {
    return this.#order.size === 0;
  }

  /**
   * Adds an entry; one that is there already stays.
   *
   * @throws TypeError for criteria that are not compiled
   */
  add(indexed: Indexed<Entry>): void {
    if (this.#order.has(indexed)) return;
    requireMatch('PolicyIndex', indexed.match);
    this.#order.set(indexed, this.#added++);
    for (const key of keysOf(indexed.criteria)) {
      getOrMake(this.#byKey, key, () => new Set()).add(indexed);
      this.#forget(key);
    }
  }

  /** Removes an entry that was added. */
  remove(indexed: Indexed<Entry>): void {
    if (!this.#order.delete(indexed)) return;
    for (const key of keysOf(indexed.criteria)) {
      const entries = getOrMake(this.#byKey, key, () => new Set());
      entries.delete(indexed);
      if (entries.size === 0) this.#byKey.delete(key);
      this.#forget(key);
    }
  }

  /** Takes note that labels of namespaces, or kinds, may be others than before. */
  reconsider(): void {
    this.#found.clear();
    this.#askedByKey.clear();
    this.#finds = 0;
    this.#references = 0;
    this.#last = undefined;
  }

  /** The entries that may be about a request, in the order of their names; those of one name as they were added. */
  candidates(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[] {
    if (this.isEmpty) return [];
    if (this.#last !== undefined && isAlike(this.#last.request, request)) return this.#last.found;
    const found = this.#found.get(kindOfRequest(request)) ?? this.#find(request, environment);
    const { kind, resource, subresource, operation, namespace } = request;
    this.#last = { request: { kind, resource, subresource, operation, namespace }, found };
    return found;
  }

  #find(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[] {
    const equivalents = environment.equivalents(request.resource);
    const known: MatchEnvironment = { ...environment, equivalents: () => equivalents };
    const keys = keysOfResources([request.resource, ...equivalents]);
    const near = new Set(keys.flatMap((key) => [...(this.#byKey.get(key) ?? [])]));
    const placeOf = (each: Indexed<Entry>): number => this.#order.get(each) ?? 0;
    const found = [...near]
      .filter((each) => mayConcern(each, request, known))
      .sort((a, b) => compareText(a.name, b.name) || placeOf(a) - placeOf(b))
      .map(({ entry }) => entry);
    this.#keep(kindOfRequest(request), found, keys);
    return found;
  }

  #keep(kind: string, found: readonly Entry[], keys: readonly string[]): void {
    if (this.#finds === keptKinds || this.#references > keptReferences) this.reconsider();
    this.#finds++;
    this.#references += found.length;
    this.#found.set(kind, found);
    for (const key of keys) getOrMake(this.#askedByKey, key, () => new Set()).add(kind);
  }

  #forget(key: string): void {
    this.#last = undefined;
    for (const kind of this.#askedByKey.get(key) ?? []) this.#found.delete(kind);
    this.#askedByKey.delete(key);
  }
}

/** Whether an entry may be about a request, whatever its object and its name are. */
function mayConcern(
  { match, alternatives }: Indexed<unknown>,
  request: RequestAttributes,
  environment: MatchEnvironment,
): boolean {
  const prospect = prospectOf(match, request, environment);
  if (prospect !== 'match') return prospect === 'error';
  return alternatives.some(
    (each) => each === undefined || prospectOf(each, request, environment) !== 'none',
  );
}
