import { Refusal } from './refusal.ts';

// The share of its time that a request may wait for others; the rest is for its own evaluation.
const waitingShare = 0.8;
// The first requests of a process are slow and do not represent later ones.
const samples = 64;
// With fewer requests in progress, none is refused.
const mostUnchecked = 4;
// The weight of the newest interval in the mean of the intervals between decisions.
const newestShare = 0.1;
// A stalled API server delays decisions, too. Such an interval says nothing about the processor.
const mostIntervals = 4;

/**
 * The requests in progress, and how long a new one waits for them.
 *
 * A decision takes as long as its own work, or longer if the process shares its processors: then the interval between
 * decisions counts, up to four times the work.
 */
export class Backlog {
  readonly #now: () => number;
  #count = 0;
  readonly #costs: number[] = [];
  #next = 0;
  #interval = 0;
  /** When the last decision ended while others were in progress. */
  #lastEnd: number | undefined;

  /** @param now the time in milliseconds, for tests */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The number of requests that are being decided. */
  get count(): number {
    return this.#count;
  }

  /** How long a new request waits for those in progress, in milliseconds; 0 while too few have been decided. */
  get milliseconds(): number {
    if (this.#count === 0 || this.#costs.length < samples) return 0;
    const sorted = [...this.#costs].sort((a, b) => a - b);
    const cost = sorted[samples / 2] ?? 0;
    return this.#count * Math.max(cost, Math.min(this.#interval, mostIntervals * cost));
  }

  /**
   * Takes a request that is to be decided within some milliseconds.
   *
   * @throws Refusal when it would have to wait too long.
   */
  begin(milliseconds: number): void {
    // A small backlog needs no estimate.
    const wait = this.#count < mostUnchecked ? 0 : this.milliseconds;
    if (wait > milliseconds * waitingShare) {
      throw new Refusal(
        429,
        `overloaded: ${this.#count} requests in progress take about ${Math.ceil(wait)} ms, and the deadline is in ${Math.max(0, Math.floor(milliseconds))} ms`,
      );
    }
    this.#count++;
  }

  /** Ends a request; one that was decided took some milliseconds of work. */
  end(milliseconds?: number): void {
    this.#count--;
    if (milliseconds === undefined) return;
    const now = this.#now();
    if (this.#lastEnd !== undefined) {
      this.#interval += (now - this.#lastEnd - this.#interval) * newestShare;
    }
    this.#lastEnd = this.#count > 0 ? now : undefined;
    this.#costs[this.#next] = milliseconds;
    this.#next = (this.#next + 1) % samples;
  }
}
