import { setTimeout as sleep } from 'node:timers/promises';

/** The outcome of a write. */
export type Written = 'written' | 'failed' | 'dropped';

/** Receives the outcome of each write. */
export interface OutboxListener {
  done(outcome: Written): void;
  failed(error: unknown): void;
}

// Keeps a burst of decisions from becoming a burst of requests to the cluster.
const paceMilliseconds = 50;
const most = 1_000;

/**
 * Writes to the cluster in the background, one write at a time and at most twenty per second.
 *
 * A write replaces a waiting write with the same key. While 1,000 writes are waiting, new keys are dropped.
 */
export class Outbox {
  readonly #listener: OutboxListener;
  readonly #waiting: Map<string, () => Promise<void>> = new Map();
  #running: Promise<void> | undefined;
  #isEnding = false;

  constructor(listener: OutboxListener) {
    this.#listener = listener;
  }

  /** Writes soon. */
  put(key: string, write: () => Promise<void>): void {
    if (this.#isEnding || (this.#waiting.size >= most && !this.#waiting.has(key))) {
      this.#listener.done('dropped');
      return;
    }
    this.#waiting.set(key, write);
    this.#running ??= this.#run();
  }

  /** Writes the waiting entries for at most the given time, and nothing after that. */
  async close(milliseconds: number): Promise<void> {
    this.#isEnding = true;
    const late = sleep(milliseconds, undefined, { ref: false });
    await Promise.race([this.#running, late]);
    this.#waiting.clear();
  }

  async #run(): Promise<void> {
    for (const [key, write] of this.#waiting) {
      this.#waiting.delete(key);
      try {
        await write();
        this.#listener.done('written');
      } catch (error) {
        this.#listener.done('failed');
        this.#listener.failed(error);
      }
      if (!this.#isEnding) await sleep(paceMilliseconds, undefined, { ref: false });
    }
    this.#running = undefined;
  }
}
