// How long decisions may keep the process from reading what has arrived.
const turnMilliseconds = 10;

/** How far a decision is: not begun, begun a moment ago, or evaluated for long. */
export type Progress = 'new' | 'begun' | 'long';

/**
 * Lets the decisions of a process take turns: those of one turn of the event loop take about ten milliseconds together,
 * then the process reads what has arrived meanwhile. Without such a bound, each of hundreds of requests would take its
 * share before anything is read, and the time that others wait unread would count nowhere.
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

  /** Begins to work; where that has to wait, returns what to wait for. Call `leave` at the end. */
  enter(progress: Progress): Promise<void> | undefined {
    this.#schedule();
    if (this.length === 0 && this.#spent < turnMilliseconds) return undefined;
    return new Promise((resolve) => this.#waiting[progress].push(resolve));
  }

  /** Ends work that took some milliseconds; the next that waits goes on in the same turn where time is left. */
  leave(milliseconds: number): void {
    this.#spent += milliseconds;
    if (this.#isRunning) this.#resume();
  }

  // Resumed work goes on when the promises are settled, and is left before the turn ends.
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

  // Begun work is finished first, so that few requests are under way at once; but long ones get at most every other
  // slice.
  #next(): (() => void) | undefined {
    const { begun, new: fresh, long } = this.#waiting;
    const isShort = begun.length + fresh.length > 0 && (long.length === 0 || this.#wasLong);
    this.#wasLong = !isShort;
    return isShort ? (begun.shift() ?? fresh.shift()) : long.shift();
  }
}

/** The turns of this process. */
export const turns: Turns = new Turns();
