import type { GroupVersionResource, Labels } from '@kubeadmit/apimachinery';
import type { MatchResources, RequestAttributes } from '@kubeadmit/engine/internal';
import { compareText } from '@kubeadmit/go';
import { deepEqual, search } from '@kubeadmit/go/internal';
import { type CompiledMatch, type MatchEnvironment, prospectOf } from './match.ts';
import { splitResource } from './resource-rule.ts';

/** References to entries that are kept over all kinds of requests. */
const keptReferences = 1_000_000;

/** Kinds of requests whose entries are kept. */
const keptKinds = 4096;

/** How many changes of an index are remembered, so that what was found before can be corrected. */
const keptChanges = 1024;

/** Something that has match criteria. */
export interface Indexed<Entry> {
  /** What the order of the entries goes by. */
  readonly name: string;
  /** What the entry is about. */
  readonly criteria: MatchResources;
  /** The criteria, compiled. */
  readonly match: CompiledMatch;
  /** Further criteria, one of which has to match too; `undefined` among them matches everything. */
  readonly alternatives: readonly (CompiledMatch | undefined)[];
  /** What is found. */
  readonly entry: Entry;
}

/** What was found for a kind of requests. */
interface Found<Entry> {
  /** The number of changes of the index that it takes account of. */
  changes: number;
  /** The number of calls of `reconsider` that it takes account of. */
  surroundings: number;
  readonly labels: Labels | undefined;
  readonly equivalents: readonly GroupVersionResource[];
  indexed: readonly Indexed<Entry>[];
  entries: readonly Entry[];
}

/**
 * Finds the policies that may be about a request, so that it pays for those only.
 *
 * Everything counts that does not depend on objects and names: rules, scopes, operations, the selector
 * of namespaces. Entries come in the order of their names, those of one name as they were added. What was found for a
 * kind of requests is kept, and corrected by what was added and removed since: a change of one entry costs the same
 * however many there are.
 *
 * INVARIANT: the labels of a namespace and the kinds of the environment stay the same between two calls of `reconsider`.
 */
export class PolicyIndex<Entry> {
  readonly #order: Map<Indexed<Entry>, number> = new Map();
  readonly #byKey: Map<string, Set<Indexed<Entry>>> = new Map();
  readonly #found: Map<string, Found<Entry>> = new Map();
  #references: number = 0;
  #added: number = 0;
  #surroundings: number = 0;
  /** The changes from the one with the number `#firstChange` on; those of before are forgotten. */
  #changes: { readonly indexed: Indexed<Entry>; readonly isAdded: boolean }[] = [];
  #firstChange: number = 0;

  constructor(indexed: Iterable<Indexed<Entry>> = []) {
    for (const each of indexed) this.add(each);
  }

  /** Whether nothing is found for any request. */
  get isEmpty(): boolean {
    return this.#order.size === 0;
  }

  /** Adds an entry; one that is there already stays. */
  add(indexed: Indexed<Entry>): void {
    if (this.#order.has(indexed)) return;
    this.#order.set(indexed, this.#added++);
    for (const key of keysOf(indexed.criteria)) {
      const known = this.#byKey.get(key);
      if (known === undefined) this.#byKey.set(key, new Set([indexed]));
      else known.add(indexed);
    }
    this.#remember(indexed, true);
  }

  /** Removes an entry that was added. */
  remove(indexed: Indexed<Entry>): void {
    if (!this.#order.has(indexed)) return;
    // What was found may hold it still, and is corrected by its place.
    this.#remember(indexed, false);
    this.#order.delete(indexed);
    for (const key of keysOf(indexed.criteria)) {
      const known = this.#byKey.get(key);
      known?.delete(indexed);
      if (known?.size === 0) this.#byKey.delete(key);
    }
  }

  /** Takes note that labels of namespaces, or kinds, may be others than before. */
  reconsider(): void {
    this.#surroundings++;
  }

  /** The entries that may be about a request. */
  candidates(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[] {
    if (this.#order.size === 0) return [];
    const key = kindOfRequest(request);
    const known = this.#found.get(key);
    if (known !== undefined && this.#isCurrent(known, request, environment)) return known.entries;
    const found = this.#find(request, environment);
    this.#references += found.entries.length - (known?.entries.length ?? 0);
    // Requests may name resources that do not exist; those must not fill the memory.
    if (this.#found.size >= keptKinds || this.#references > keptReferences) {
      this.#found.clear();
      this.#references = found.entries.length;
    }
    this.#found.set(key, found);
    return found.entries;
  }

  get #changeCount(): number {
    return this.#firstChange + this.#changes.length;
  }

  #remember(indexed: Indexed<Entry>, isAdded: boolean): void {
    if (this.#found.size === 0) {
      this.#firstChange = this.#changeCount + 1;
      this.#changes = [];
      return;
    }
    this.#changes.push({ indexed, isAdded });
    if (this.#changes.length <= 2 * keptChanges) return;
    this.#firstChange += this.#changes.length - keptChanges;
    this.#changes = this.#changes.slice(-keptChanges);
  }

  // Whether what was found holds, corrected where the changes since are known.
  #isCurrent(
    found: Found<Entry>,
    request: RequestAttributes,
    environment: MatchEnvironment,
  ): boolean {
    if (found.surroundings !== this.#surroundings) {
      const { labels, equivalents } = surroundingsOf(request, environment);
      if (!deepEqual(labels, found.labels) || !deepEqual(equivalents, found.equivalents)) {
        return false;
      }
      found.surroundings = this.#surroundings;
    }
    if (found.changes === this.#changeCount) return true;
    if (found.changes < this.#firstChange) return false;
    this.#correct(found, request, environment);
    return true;
  }

  // INVARIANT: the lists that requests were given stay as they are.
  #correct(found: Found<Entry>, request: RequestAttributes, environment: MatchEnvironment): void {
    const known = { ...environment, equivalents: () => found.equivalents };
    const keys = new Set(keysOfRequest(request, found.equivalents));
    let lists: Lists<Entry> | undefined;
    for (const { indexed, isAdded } of this.#changes.slice(found.changes - this.#firstChange)) {
      if (!keysOf(indexed.criteria).some((key) => keys.has(key))) continue;
      lists ??= { indexed: [...found.indexed], entries: [...found.entries] };
      if (!isAdded) take(lists, indexed);
      else if (this.#order.has(indexed) && mayConcern(indexed, request, known)) put(lists, indexed);
    }
    found.changes = this.#changeCount;
    if (lists === undefined) return;
    this.#references += lists.entries.length - found.entries.length;
    Object.assign(found, lists);
  }

  #find(request: RequestAttributes, environment: MatchEnvironment): Found<Entry> {
    const surroundings = surroundingsOf(request, environment);
    const { equivalents } = surroundings;
    const concerned = new Set<Indexed<Entry>>();
    const known: MatchEnvironment = { ...environment, equivalents: () => equivalents };
    for (const key of keysOfRequest(request, equivalents)) {
      for (const each of this.#byKey.get(key) ?? []) {
        if (!concerned.has(each) && mayConcern(each, request, known)) concerned.add(each);
      }
    }
    const placeOf = (each: Indexed<Entry>): number => this.#order.get(each) ?? 0;
    const indexed = [...concerned].sort(
      (a, b) => compareText(a.name, b.name) || placeOf(a) - placeOf(b),
    );
    return {
      changes: this.#changeCount,
      surroundings: this.#surroundings,
      ...surroundings,
      indexed,
      entries: indexed.map(({ entry }) => entry),
    };
  }
}

/** What is found, in its order, and what it stands for. */
interface Lists<Entry> {
  readonly indexed: Indexed<Entry>[];
  readonly entries: Entry[];
}

// Behind all of its name: it was added after them.
function put<Entry>({ indexed, entries }: Lists<Entry>, one: Indexed<Entry>): void {
  const place = placeBehind(indexed, one.name);
  indexed.splice(place, 0, one);
  entries.splice(place, 0, one.entry);
}

function take<Entry>({ indexed, entries }: Lists<Entry>, one: Indexed<Entry>): void {
  let place = placeBehind(indexed, one.name) - 1;
  while (indexed[place]?.name === one.name && indexed[place] !== one) place--;
  if (indexed[place] !== one) return;
  indexed.splice(place, 1);
  entries.splice(place, 1);
}

function placeBehind(indexed: readonly Indexed<unknown>[], name: string): number {
  return search(indexed.length, (i) => compareText(indexed[i]?.name ?? '', name) > 0);
}

function surroundingsOf(
  { resource, namespace }: RequestAttributes,
  environment: MatchEnvironment,
): Pick<Found<unknown>, 'labels' | 'equivalents'> {
  const labels = namespace === '' ? undefined : environment.namespaceLabels(namespace);
  return { labels, equivalents: environment.equivalents(resource) };
}

function keysOf(criteria: MatchResources): readonly string[] {
  const rules = criteria.resourceRules ?? [];
  const keys = new Set(rules.length === 0 ? [keyOf('*', '*')] : []);
  for (const rule of rules) {
    for (const group of rule.apiGroups ?? []) {
      for (const entry of rule.resources ?? []) {
        keys.add(keyOf(group, splitResource(entry).resource));
      }
    }
  }
  return [...keys];
}

function keysOfRequest(
  { resource }: RequestAttributes,
  equivalents: readonly GroupVersionResource[],
): readonly string[] {
  const keys: string[] = [];
  for (const each of [resource, ...equivalents]) {
    for (const group of [each.group, '*']) {
      for (const name of [each.resource, '*']) keys.push(keyOf(group, name));
    }
  }
  return keys;
}

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

function kindOfRequest({
  kind,
  resource,
  subresource,
  operation,
  namespace,
}: RequestAttributes): string {
  const { group, version, resource: name } = resource;
  const head = `${operation}\n${namespace}\n${group}\n${version}\n${name}\n${subresource}`;
  return `${head}\n${kind.group}\n${kind.version}\n${kind.kind}`;
}

function keyOf(group: string, resource: string): string {
  return `${group}/${resource}`;
}
