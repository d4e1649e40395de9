import { setTimeout as sleep } from 'node:timers/promises';

/** What became of something that was to be written. */
export type Written = 'written' | 'failed' | 'dropped';

/** Who is told what became of it. */
export interface OutboxListener {
  done(outcome: Written): void;
  failed(error: unknown): void;
}

// So that a burst of decisions is no burst of requests to the cluster.
const paceMilliseconds = 50;
const most = 1_000;

/**
 * Writes to the cluster one after the other and at most twenty times a second, so that nobody waits for it. What is
 * put under a key that still waits takes its place; more than a thousand are dropped.
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

  /** Writes what waits, for a while, and nothing after that. */
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
