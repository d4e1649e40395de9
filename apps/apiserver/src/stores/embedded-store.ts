import {
  MemoryStore,
  type RangeOptions,
  type RangeResult,
  type Store,
  type StoredEntry,
  type StoreWatch,
  type WatchOptions,
  type WriteCondition,
  type WriteResult,
} from '@kubeadmit/apiserver/store';
import type { Change, Journal } from './journal.ts';

/** A write that waits for the disk. */
interface WaitingWrite {
  readonly key: string;
  /** Absent for a deletion. */
  readonly value?: string;
  readonly expected: number;
  resolve(result: WriteResult): void;
  reject(error: Error): void;
}

/** A write whose condition is met, and the change that it makes. */
interface AcceptedWrite {
  readonly write: WaitingWrite;
  readonly change: Change;
}

/**
 * A store that keeps its entries in memory and writes each change to disk before it acknowledges it.
 *
 * Writes that arrive during another write are flushed together, with one sync. After a failure, writes are refused
 * until the journal was reopened and memory matches its content.
 */
export class EmbeddedStore implements Store {
  readonly #journal: Journal;
  readonly #memory: MemoryStore;
  #waiting: WaitingWrite[] = [];
  #isWriting = false;
  #isClosed = false;
  #failure: Error | undefined;
  /** The writes of the last failure, which may or may not be on disk. */
  #uncertain: readonly AcceptedWrite[] = [];

  private constructor(journal: Journal, memory: MemoryStore) {
    this.#journal = journal;
    this.#memory = memory;
  }

  /** Reads the content of a journal. Rejects if it cannot be opened. */
  static async open(journal: Journal): Promise<EmbeddedStore> {
    const { entries, revision } = await journal.open();
    return new EmbeddedStore(journal, new MemoryStore({ entries, revision }));
  }

  /** Why writes are refused since the last failure; `undefined` if writing works. */
  get problem(): Error | undefined {
    return this.#failure;
  }

  revision(): Promise<number> {
    return this.#memory.revision();
  }

  get(key: string): Promise<StoredEntry | undefined> {
    return this.#memory.get(key);
  }

  range(options: RangeOptions): Promise<RangeResult> {
    return this.#memory.range(options);
  }

  put(key: string, value: string, { expected }: WriteCondition): Promise<WriteResult> {
    return this.#enqueue({ key, value, expected });
  }

  delete(key: string, { expected }: WriteCondition): Promise<WriteResult> {
    return this.#enqueue({ key, expected });
  }

  watch(options: WatchOptions): StoreWatch {
    return this.#memory.watch(options);
  }

  compact(revision: number): Promise<void> {
    return this.#memory.compact(revision);
  }

  /** Ends watches and closes the journal after the writes that wait. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#isWriting) await new Promise((resolve) => setTimeout(resolve, 1));
    await this.#memory.close();
    await this.#journal.close();
  }

  /** Tries to write again after a failure; otherwise does nothing. */
  async recover(): Promise<void> {
    if (this.#failure === undefined || this.#isWriting || this.#isClosed) return;
    this.#isWriting = true;
    try {
      await this.#reopen();
    } catch (error) {
      this.#failure = asError(error);
    } finally {
      this.#isWriting = false;
    }
    if (this.#waiting.length > 0) void this.#writeAll();
  }

  #enqueue(write: Omit<WaitingWrite, 'resolve' | 'reject'>): Promise<WriteResult> {
    if (this.#isClosed) return Promise.reject(new Error('the store is closed'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...write, resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    // Writes that arrive in the same turn are flushed together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      await this.#writeTogether(batch);
    }
    this.#isWriting = false;
  }

  async #writeTogether(batch: readonly WaitingWrite[]): Promise<void> {
    try {
      if (this.#failure !== undefined) await this.#reopen();
    } catch (error) {
      this.#failure = asError(error);
      for (const write of batch) write.reject(this.#failure);
      return;
    }
    const { accepted, refused } = await this.#judge(batch);
    try {
      if (accepted.length > 0) await this.#journal.append(accepted.map(({ change }) => change));
    } catch (error) {
      this.#failure = asError(error);
      this.#uncertain = accepted;
      for (const write of batch) write.reject(this.#failure);
      return;
    }
    for (const { write, change } of accepted) {
      await this.#remember(change);
      write.resolve({ done: true, revision: change.revision });
    }
    for (const { write, current } of refused) write.resolve({ done: false, current });
  }

  /** Decides which writes of a batch are accepted; each sees the effects of those before it. */
  async #judge(batch: readonly WaitingWrite[]): Promise<{
    readonly accepted: readonly AcceptedWrite[];
    readonly refused: readonly { write: WaitingWrite; current: StoredEntry | undefined }[];
  }> {
    const accepted: AcceptedWrite[] = [];
    const refused: { write: WaitingWrite; current: StoredEntry | undefined }[] = [];
    const seen = new Map<string, StoredEntry | undefined>();
    let revision = await this.#memory.revision();
    for (const write of batch) {
      const { key, value, expected } = write;
      const current = seen.has(key) ? seen.get(key) : await this.#memory.get(key);
      const isDeletionOfNothing = value === undefined && current === undefined;
      if ((current?.revision ?? 0) !== expected || isDeletionOfNothing) {
        refused.push({ write, current });
        continue;
      }
      revision++;
      const change: Change =
        value === undefined ? { key, revision, expected } : { key, value, revision, expected };
      accepted.push({ write, change });
      seen.set(key, value === undefined ? undefined : { key, value, revision });
    }
    return { accepted, refused };
  }

  async #remember({ key, value, expected }: Change): Promise<void> {
    if (value === undefined) await this.#memory.delete(key, { expected });
    else await this.#memory.put(key, value, { expected });
  }

  /** Reopens the journal and adopts the failed write if it is complete. */
  async #reopen(): Promise<void> {
    const { revision } = await this.#journal.reopen();
    const last = this.#uncertain.at(-1)?.change.revision;
    if (last !== undefined && revision === last) {
      for (const { change } of this.#uncertain) await this.#remember(change);
    }
    this.#uncertain = [];
    const known = await this.#memory.revision();
    if (revision !== known) {
      throw new Error(
        `the data is at revision ${revision}, older than the acknowledged revision ${known}`,
      );
    }
    this.#failure = undefined;
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
