const firstRetryMilliseconds = 500;
const lastRetryMilliseconds = 300_000;
// A longer timer ends at once.
const longestTimer = 2 ** 31 - 1;

/** The dependencies of a queue. */
export interface WorkQueueOptions {
  /** How many keys are worked on at the same time. */
  readonly workers: number;
  /** Does the work that a key stands for; a rejection is repeated later. */
  readonly work: (key: string) => Promise<void>;
  readonly failed: (key: string, error: unknown) => void;
}

/**
 * Works on keys: each one at most once at a time, and again if it was added meanwhile. A key that failed is repeated
 * after a wait that doubles with each failure, up to five minutes.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #waiting: Set<string> = new Set();
  readonly #active: Set<string> = new Set();
  readonly #delayed: Map<string, Delay> = new Map();
  readonly #failures: Map<string, number> = new Map();
  #isEnding = false;
  #ended: (() => void) | undefined;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** The number of keys that wait or are worked on. */
  get length(): number {
    return this.#waiting.size + this.#active.size;
  }

  /** Works on a key soon. */
  add(key: string): void {
    if (this.#isEnding) return;
    this.#cancel(key);
    this.#waiting.add(key);
    // Events arrive in groups, and a key is worked on once for a group.
    setImmediate(() => this.#begin());
  }

  /** Works on a key after some time, unless it is added earlier. */
  addAfter(key: string, milliseconds: number): void {
    const due = Date.now() + milliseconds;
    const known = this.#delayed.get(key);
    if (this.#isEnding || (known !== undefined && known.due <= due)) return;
    this.#cancel(key);
    const wait = Math.min(Math.max(0, milliseconds), longestTimer);
    const timer = setTimeout(() => {
      this.#delayed.delete(key);
      if (wait < milliseconds) this.addAfter(key, due - Date.now());
      else this.add(key);
    }, wait);
    this.#delayed.set(key, { timer, due });
  }

  /** Ends the work that was begun, and begins no other. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    this.#waiting.clear();
    for (const key of [...this.#delayed.keys()]) this.#cancel(key);
    if (this.#active.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
  }

  #cancel(key: string): void {
    clearTimeout(this.#delayed.get(key)?.timer);
    this.#delayed.delete(key);
  }

  #begin(): void {
    for (const key of this.#waiting) {
      if (this.#active.size >= this.#options.workers) return;
      if (this.#active.has(key)) continue;
      this.#waiting.delete(key);
      this.#active.add(key);
      void this.#work(key);
    }
  }

  async #work(key: string): Promise<void> {
    try {
      await this.#options.work(key);
      this.#failures.delete(key);
    } catch (error) {
      this.#retry(key, error);
    }
    this.#active.delete(key);
    if (this.#isEnding && this.#active.size === 0) this.#ended?.();
    this.#begin();
  }

  #retry(key: string, error: unknown): void {
    if (this.#isEnding) return;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#options.failed(key, error);
    this.addAfter(key, Math.min(firstRetryMilliseconds * 2 ** failures, lastRetryMilliseconds));
  }
}

interface Delay {
  readonly timer: NodeJS.Timeout;
  /** Milliseconds since 1970. */
  readonly due: number;
}
