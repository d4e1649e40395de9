import type { GroupVersionResource, Labels } from '@kubeadmit/apimachinery';
import type { RequestAttributes } from '@kubeadmit/engine/internal';
import { compareText } from '@kubeadmit/go';
import { deepEqual, search } from '@kubeadmit/go/internal';
import { requireMatch } from './arguments.ts';
import type { MatchEnvironment } from './match.ts';
import {
  type Indexed,
  KeptFinds,
  keysOf,
  keysOfRequest,
  kindOfRequest,
  mayConcern,
  type PolicyFinder,
} from './policy-index.ts';

/** How many changes of an index are remembered, so that what was found before can be corrected. */
const keptChanges = 1024;

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
 * A {@link PolicyIndex} whose entries come and go: what was found for a kind of requests is corrected by what was added
 * and removed since, so that a change of one entry costs the same however many there are.
 *
 * INVARIANT: the labels of a namespace and the kinds of the environment stay the same between two calls of `reconsider`.
 */
export class ChangingPolicyIndex<Entry> implements PolicyFinder<Entry> {
  readonly #order: Map<Indexed<Entry>, number> = new Map();
  readonly #byKey: Map<string, Set<Indexed<Entry>>> = new Map();
  readonly #found: KeptFinds<Found<Entry>> = new KeptFinds();
  #added: number = 0;
  #surroundings: number = 0;
  /** The changes from the one with the number `#firstChange` on; those of before are forgotten. */
  #changes: { readonly indexed: Indexed<Entry>; readonly isAdded: boolean }[] = [];
  #firstChange: number = 0;

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
    requireMatch('ChangingPolicyIndex', indexed.match);
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

  candidates(request: RequestAttributes, environment: MatchEnvironment): readonly Entry[] {
    if (this.#order.size === 0) return [];
    const key = kindOfRequest(request);
    const known = this.#found.get(key);
    if (known !== undefined && this.#isCurrent(known, request, environment)) return known.entries;
    const found = this.#find(request, environment);
    const count = found.entries.length;
    this.#found.keep(key, found, count, count - (known?.entries.length ?? 0));
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
    this.#found.references += lists.entries.length - found.entries.length;
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
