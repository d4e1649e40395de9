// The maximum time that decisions keep the process from reading arrived data.
const turnMilliseconds = 10;

/** The progress of a decision: not begun, begun recently, or evaluated for long. */
export type Progress = 'new' | 'begun' | 'long';

/**
 * Schedules the decisions of a process: about ten milliseconds per turn of the event loop, then arrived data is
 * read.
 *
 * Without such a limit, hundreds of requests would each take their share before anything is read. The time that
 * unread requests wait would not be measured.
 */
export class Turns {
  readonly #waiting: Readonly<Record<Progress, (() => void)[]>> = { begun: [], new: [], long: [] };
  #wasLong = false;
  #spent = 0;
  #isScheduled = false;
  #isRunning = false;

  /** The number of decisions that wait for their turn. */
  get length(): number {
    const { begun, new: fresh, long } = this.#waiting;
    return begun.length + fresh.length + long.length;
  }

  /** Starts work, or returns a promise for its turn. Call `leave` at the end. */
  enter(progress: Progress): Promise<void> | undefined {
    this.#schedule();
    if (this.length === 0 && this.#spent < turnMilliseconds) return undefined;
    return new Promise((resolve) => this.#waiting[progress].push(resolve));
  }

  /**
   * Ends work that took some milliseconds; if time is left, the next waiting decision continues in the same turn.
   */
  leave(milliseconds: number): void {
    this.#spent += milliseconds;
    if (this.#isRunning) this.#resume();
  }

  // Resumed work continues when its promise is settled, and is left before the turn ends.
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#spent = 0;
      this.#isRunning = true;
      this.#resume();
      if (this.length > 0) this.#schedule();
    });
  }

  #resume(): void {
    const next = this.#spent < turnMilliseconds ? this.#next() : undefined;
    if (next === undefined) {
      this.#isRunning = false;
      return;
    }
    this.#schedule();
    next();
  }

  // Begun work is finished first, so that few requests are in progress; long ones get at most every other slice.
  #next(): (() => void) | undefined {
    const { begun, new: fresh, long } = this.#waiting;
    const isShort = begun.length + fresh.length > 0 && (long.length === 0 || this.#wasLong);
    this.#wasLong = !isShort;
    return isShort ? (begun.shift() ?? fresh.shift()) : long.shift();
  }
}

/** The turns of this process. */
export const turns: Turns = new Turns();
