import { SlowReaderError, type StoreEvent, type StoreWatch } from './store.ts';

/** How a queue starts and ends. */
export interface EventQueueOptions {
  /** How many events may wait for the reader; more end the watch with {@link SlowReaderError}. */
  readonly capacity: number;
  /** How many characters their values may have together (default: any number). */
  readonly mostCharacters?: number | undefined;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a reader requests progress. */
  readonly onProgressRequested: () => void;
  /** Is called once, when no more events are wanted. */
  readonly onEnd: () => void;
}

/** Queues the events of a store for a reader that may be slower. */
export class EventQueue implements StoreWatch {
  readonly #options: EventQueueOptions;
  readonly #waiting: StoreEvent[] = [];
  #characters = 0;
  #wake: (() => void) | undefined;
  #isEnded = false;
  #error: Error | undefined;

  constructor(options: EventQueueOptions) {
    this.#options = options;
    const { signal } = options;
    if (signal?.aborted) this.end();
    else signal?.addEventListener('abort', () => this.end(), { once: true });
  }

  /** Hands on an event; does nothing when the queue has ended. */
  push(event: StoreEvent): void {
    if (this.#isEnded) return;
    const { capacity, mostCharacters = Number.POSITIVE_INFINITY } = this.#options;
    this.#characters += charactersOf(event);
    if (this.#waiting.length >= capacity || this.#characters > mostCharacters) {
      this.end(new SlowReaderError());
      return;
    }
    this.#waiting.push(event);
    this.#wakeReader();
  }

  /** Ends the iteration: with an error at once, otherwise after the waiting events, unless it was aborted. */
  end(error?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#error = error;
    if (error !== undefined || this.#options.signal?.aborted) this.#waiting.length = 0;
    this.#options.onEnd();
    this.#wakeReader();
  }

  /**
   * Ends the watch with {@link SlowReaderError} if events up to a revision wait for the reader: the store forgets them,
   * and they would stay in memory for this reader alone.
   */
  forget(revision: number): void {
    const [first] = this.#waiting;
    if (first !== undefined && revisionOf(first) <= revision) this.end(new SlowReaderError());
  }

  /** Requests an event with the current revision of the store. */
  requestProgress(): void {
    if (!this.#isEnded) this.#options.onProgressRequested();
  }

  /** The events, until the queue ends. */
  async *[Symbol.asyncIterator](): AsyncGenerator<StoreEvent, void, undefined> {
    try {
      for (;;) {
        const event = this.#waiting.shift();
        if (event !== undefined) {
          this.#characters -= charactersOf(event);
          yield event;
        } else if (this.#error !== undefined) throw this.#error;
        else if (this.#isEnded) return;
        else await this.#untilWoken();
      }
    } finally {
      this.end();
    }
  }

  #untilWoken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #wakeReader(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

/** The revision of a change, or that of the store. */
export function revisionOf(event: StoreEvent): number {
  return event.type === 'put' ? event.entry.revision : event.revision;
}

/** How many characters the values of an event have. */
export function charactersOf(event: StoreEvent): number {
  if (event.type === 'progress') return 0;
  const { length = 0 } = event.previous?.value ?? {};
  return length + (event.type === 'put' ? event.entry.value.length : 0);
}
