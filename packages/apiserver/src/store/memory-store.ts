import { requireOptions } from '@kubeadmit/base';
import { compareText, search } from '@kubeadmit/go';
import { charactersOf, EventQueue, revisionOf } from './event-queue.ts';
import {
  CompactedError,
  type RangeOptions,
  type RangeResult,
  type Store,
  type StoredEntry,
  type StoreEvent,
  type StoreWatch,
  type WatchOptions,
  type WriteCondition,
  type WriteResult,
} from './store.ts';

type Change = Exclude<StoreEvent, { readonly type: 'progress' }>;

/** How many changes are kept at least, for watches and ranges of the past. */
const keptChanges = 10_000;

/** How many characters the values of all kept changes may have together; the oldest changes are forgotten first. */
const mostKeptCharacters = 128 * 1024 * 1024;

/** The initial content of a {@link MemoryStore}, and how far its readers may fall behind. */
export interface MemoryStoreOptions {
  /** How many events may wait for one reader; default 10,000. */
  readonly capacity?: number | undefined;
  /** The initial entries, for a store that reads them from elsewhere. */
  readonly entries?: Iterable<StoredEntry> | undefined;
  /** The revision of the last write, which is not below that of any entry; default 1. */
  readonly revision?: number | undefined;
}

/** A store that keeps everything in memory and forgets it when it is closed. */
export class MemoryStore implements Store {
  readonly #entries: Map<string, StoredEntry> = new Map();
  /** The keys in order, but for those that came or went since. */
  #sortedKeys: string[] = [];
  readonly #changedKeys: Set<string>;
  readonly #changes: Change[] = [];
  #characters = 0;
  readonly #watches: Map<EventQueue, string> = new Map();
  readonly #capacity: number;
  #last: number;
  #oldest: number;

  constructor(options: MemoryStoreOptions = {}) {
    requireOptions('MemoryStore', options, {
      capacity: 'number',
      entries: 'any',
      revision: 'number',
    });
    const { capacity = 10_000, entries = [], revision = 1 } = options;
    this.#capacity = capacity;
    for (const entry of entries) this.#entries.set(entry.key, entry);
    this.#changedKeys = new Set(this.#entries.keys());
    this.#last = revision;
    this.#oldest = revision;
  }

  async revision(): Promise<number> {
    return this.#last;
  }

  async get(key: string): Promise<StoredEntry | undefined> {
    return this.#entries.get(key);
  }

  async range({ prefix, start, limit, revision }: RangeOptions): Promise<RangeResult> {
    const first = start === undefined || compareText(start, prefix) < 0 ? prefix : start;
    if (revision === undefined || revision >= this.#last) return this.#now(first, prefix, limit);
    const all = this.#past(revision, first, prefix);
    const entries = limit === undefined ? all : all.slice(0, limit);
    return { entries, revision: this.#last, remaining: all.length - entries.length };
  }

  async put(key: string, value: string, { expected }: WriteCondition): Promise<WriteResult> {
    const current = this.#entries.get(key);
    if ((current?.revision ?? 0) !== expected) return { done: false, current };
    const revision = ++this.#last;
    const entry = { key, value, revision };
    if (current === undefined) this.#changedKeys.add(key);
    this.#entries.set(key, entry);
    this.#tell({ type: 'put', entry, previous: current });
    return { done: true, revision };
  }

  async delete(key: string, { expected }: WriteCondition): Promise<WriteResult> {
    const current = this.#entries.get(key);
    if (current === undefined || current.revision !== expected) return { done: false, current };
    const revision = ++this.#last;
    this.#changedKeys.add(key);
    this.#entries.delete(key);
    this.#tell({ type: 'delete', revision, previous: current });
    return { done: true, revision };
  }

  watch({ prefix, after, signal }: WatchOptions): StoreWatch {
    // One whose signal has come already ends while it is made.
    let made: EventQueue | undefined;
    const queue = new EventQueue({
      capacity: this.#capacity,
      signal,
      onProgressRequested: () => made?.push({ type: 'progress', revision: this.#last }),
      onEnd: () => made && this.#watches.delete(made),
    });
    made = queue;
    if (after < this.#oldest) {
      queue.end(new CompactedError(this.#oldest));
      return queue;
    }
    for (const change of this.#changes) {
      if (revisionOf(change) > after && keyOf(change).startsWith(prefix)) queue.push(change);
    }
    if (!signal?.aborted) this.#watches.set(queue, prefix);
    return queue;
  }

  async compact(revision: number): Promise<void> {
    this.#oldest = Math.max(this.#oldest, Math.min(revision, this.#last));
    const kept = this.#changes.findIndex((change) => revisionOf(change) > this.#oldest);
    this.#forget(kept < 0 ? this.#changes.length : kept);
  }

  async close(): Promise<void> {
    for (const queue of [...this.#watches.keys()]) queue.end();
  }

  #tell(change: Change): void {
    this.#changes.push(change);
    this.#characters += charactersOf(change);
    const key = keyOf(change);
    for (const [queue, prefix] of this.#watches) if (key.startsWith(prefix)) queue.push(change);
    if (this.#changes.length > 2 * keptChanges) this.#forget(this.#changes.length - keptChanges);
    else if (this.#characters > mostKeptCharacters) this.#forget(this.#excess());
  }

  /** The number of oldest changes that take up half of the characters. */
  #excess(): number {
    let left = this.#characters;
    const enough = this.#changes.findIndex((change) => {
      left -= charactersOf(change);
      return left <= mostKeptCharacters / 2;
    });
    return enough + 1;
  }

  /** Forgets the oldest changes, and ends watches that still wait to read them. */
  #forget(count: number): void {
    const dropped = this.#changes.splice(0, count);
    for (const change of dropped) this.#characters -= charactersOf(change);
    const last = dropped.at(-1);
    if (last === undefined) return;
    this.#oldest = Math.max(this.#oldest, revisionOf(last));
    for (const queue of [...this.#watches.keys()]) queue.forget(revisionOf(last));
  }

  #now(first: string, prefix: string, limit = Number.POSITIVE_INFINITY): RangeResult {
    const keys = this.#keys();
    const begin = firstWhere(keys, (key) => compareText(key, first) >= 0);
    const end = firstWhere(keys, (key) => compareText(key, prefix) >= 0 && !key.startsWith(prefix));
    const count = Math.max(end - begin, 0);
    const entries = keys
      .slice(begin, begin + Math.min(count, limit))
      .map((key) => this.#entries.get(key) as StoredEntry);
    return { entries, revision: this.#last, remaining: count - entries.length };
  }

  // All keys in order. A few that changed are put in their places, so that they cost no look at all others; of many, those
  // that came are sorted among themselves.
  #keys(): readonly string[] {
    const { size } = this.#changedKeys;
    if (size === 0) return this.#sortedKeys;
    const isFew = size <= 16 || size * 100 < this.#sortedKeys.length;
    if (isFew) for (const key of this.#changedKeys) this.#place(key);
    else this.#sortedKeys = this.#merged();
    this.#changedKeys.clear();
    return this.#sortedKeys;
  }

  #place(key: string): void {
    const keys = this.#sortedKeys;
    const place = firstWhere(keys, (other) => compareText(other, key) >= 0);
    const isPlaced = keys[place] === key;
    const isThere = this.#entries.has(key);
    if (isThere && !isPlaced) keys.splice(place, 0, key);
    else if (isPlaced && !isThere) keys.splice(place, 1);
  }

  #merged(): string[] {
    const changed = [...this.#changedKeys].sort(compareText);
    const merged: string[] = [];
    let next = 0;
    for (const key of this.#sortedKeys) {
      for (; next < changed.length; next++) {
        const own = changed[next] as string;
        const order = compareText(own, key);
        if (order > 0) break;
        if (order < 0 && this.#entries.has(own)) merged.push(own);
      }
      if (this.#entries.has(key)) merged.push(key);
    }
    for (; next < changed.length; next++) {
      const own = changed[next] as string;
      if (this.#entries.has(own)) merged.push(own);
    }
    return merged;
  }

  // The entries of now, with the changes after the revision taken back, the newest first.
  #past(revision: number, first: string, prefix: string): StoredEntry[] {
    if (revision < this.#oldest) throw new CompactedError(this.#oldest);
    const current = this.#now(first, prefix).entries;
    const entries = new Map(current.map((entry) => [entry.key, entry]));
    for (let at = this.#changes.length - 1; at >= 0; at--) {
      const change = this.#changes[at] as Change;
      if (revisionOf(change) <= revision) break;
      const key = keyOf(change);
      if (!key.startsWith(prefix) || compareText(key, first) < 0) continue;
      if (change.previous === undefined) entries.delete(key);
      else entries.set(key, change.previous);
    }
    return [...entries.values()].sort((a, b) => compareText(a.key, b.key));
  }
}

function keyOf(change: Change): string {
  return change.type === 'put' ? change.entry.key : change.previous.key;
}

/** The place of the first key from which on all fulfil a condition. */
function firstWhere(keys: readonly string[], fulfils: (key: string) => boolean): number {
  return search(keys.length, (index) => fulfils(keys[index] as string));
}
