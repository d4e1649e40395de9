import type { Clock } from '../host/host.ts';

/** Does the work of a key; returns the milliseconds until the next attempt, or undefined when it is done. */
export type Work = (key: string) => Promise<number | undefined>;

const retryAfter = 1000;

/**
 * Keys that wait for work, one after another; one that fails or is not done yet comes again later and never keeps the
 * others waiting (client-go `workqueue`).
 */
export class WorkQueue {
  readonly #work: Work;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #waiting: Set<string> = new Set();
  #isActive = false;

  constructor(work: Work, clock: Clock, signal: AbortSignal) {
    this.#work = work;
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Asks for work on a key. */
  add(key: string): void {
    this.#waiting.add(key);
    if (!this.#isActive) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isActive = true;
    try {
      for (const key of this.#waiting) {
        if (this.#signal.aborted) return;
        this.#waiting.delete(key);
        await this.#once(key);
      }
    } finally {
      this.#isActive = false;
    }
  }

  async #once(key: string): Promise<void> {
    const after = await this.#work(key).catch(() => retryAfter);
    if (after !== undefined) void this.#addLater(key, after);
  }

  async #addLater(key: string, milliseconds: number): Promise<void> {
    await this.#clock.sleep(milliseconds, this.#signal);
    if (!this.#signal.aborted) this.add(key);
  }
}
