/** A value as a store holds it. */
export interface StoredEntry {
  /** The key, such as `/registry/pods/shop/web`. */
  readonly key: string;
  /** JSON text. */
  readonly value: string;
  /** The revision of the write that made it so; above zero. */
  readonly revision: number;
}

/** One change, as a watch of a store reports it. */
export type StoreEvent =
  /** An entry was written. */
  | {
      readonly type: 'put';
      /** The current entry. */
      readonly entry: StoredEntry;
      /** The entry before; absent for a new key. */
      readonly previous?: StoredEntry | undefined;
    }
  /** An entry was deleted. */
  | {
      readonly type: 'delete';
      /** The revision of the deletion. */
      readonly revision: number;
      /** The entry before. */
      readonly previous: StoredEntry;
    }
  /** Every event up to and including this revision has been reported. */
  | { readonly type: 'progress'; readonly revision: number };

/** A condition on a write: 0 for a key that is not there, otherwise the revision of its entry. */
export interface WriteCondition {
  /** The revision of the last write of the entry; 0 for none. */
  readonly expected: number;
}

/** The result of a write. */
export type WriteResult =
  /** Done and durable: `revision` is the one of this write, greater than all before. */
  | { readonly done: true; readonly revision: number }
  /** The condition does not hold, nothing has changed: `current` is the entry now. */
  | { readonly done: false; readonly current: StoredEntry | undefined };

/** Which entries a range holds; keys are ordered by the bytes of their UTF-8. */
export interface RangeOptions {
  /** Only keys that start with this text. */
  readonly prefix: string;
  /** Only keys from this one on. */
  readonly start?: string | undefined;
  /** At most so many entries; default all. */
  readonly limit?: number | undefined;
  /** The entries as they were right after this revision; default now. Rejects with {@link CompactedError}. */
  readonly revision?: number | undefined;
}

/** Entries and the revision at which they were all true. */
export interface RangeResult {
  /** In the order of their keys. */
  readonly entries: readonly StoredEntry[];
  /** The revision of the store when it was read, also for a range in the past. */
  readonly revision: number;
  /** How many more entries the range has behind the limit. */
  readonly remaining: number;
}

/** The options of a watch. */
export interface WatchOptions {
  /** The prefix of the keys. */
  readonly prefix: string;
  /** Events with greater revisions than this one, in their order, none missing and none twice. */
  readonly after: number;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** Changes as they happen; ends with an error when the reader is too slow or the store is closed. */
export interface StoreWatch extends AsyncIterable<StoreEvent> {
  /** Asks for an event of type `progress`. */
  requestProgress(): void;
}

/**
 * The storage of objects: keys and JSON texts with one revision for all, like etcd.
 *
 * INVARIANT: revisions only grow, also over restarts, and a revision that was returned is never used again. A write
 * is durable before its result is known and before a watch reports it.
 */
export interface Store {
  /** The revision of the last write; above zero also when there is nothing. */
  revision(): Promise<number>;
  /** The entry of a key; `undefined` where there is none. */
  get(key: string): Promise<StoredEntry | undefined>;
  /** The entries whose keys begin alike; rejects with `CompactedError` for a revision that is forgotten. */
  range(options: RangeOptions): Promise<RangeResult>;
  /** Writes an entry if it still has the expected revision. */
  put(key: string, value: string, condition: WriteCondition): Promise<WriteResult>;
  /** Deletes an entry if it still has the expected revision. */
  delete(key: string, condition: WriteCondition): Promise<WriteResult>;
  /** The iteration throws {@link CompactedError} when events after `after` are not kept any more. */
  watch(options: WatchOptions): StoreWatch;
  /** Drops everything before this revision: older ranges and watches that start before it fail. */
  compact(revision: number): Promise<void>;
  /** Ends all watches. */
  close(): Promise<void>;
}

/** The requested revision is older than the oldest one that the store keeps. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError';
  /** The oldest revision after which a watch can start. */
  readonly oldest: number;

  constructor(oldest: number) {
    super(`required revision has been compacted; the oldest is ${oldest}`);
    this.oldest = oldest;
  }
}

/** A reader of a watch was too slow; it has to read everything again. */
export class SlowReaderError extends Error {
  override readonly name = 'SlowReaderError';

  constructor() {
    super('the reader of the watch was too slow');
  }
}
