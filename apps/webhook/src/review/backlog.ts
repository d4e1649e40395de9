import { Refusal } from './refusal.ts';

// The share of what is left of its time that a request may wait for others: those that come later take turns, too.
const waitingShare = 0.5;
const weightOfNewest = 0.1;

/** The requests under way, and how long a new one waits for them. */
export class Backlog {
  #count = 0;
  #average = 0;

  /** The number of requests that are being decided. */
  get count(): number {
    return this.#count;
  }

  /** How long a new request waits for those under way, in milliseconds. */
  get milliseconds(): number {
    return this.#count * this.#average;
  }

  /**
   * Takes a request that is to be decided within some milliseconds.
   *
   * @throws Refusal when it would have to wait too long.
   */
  begin(milliseconds: number): void {
    const wait = this.milliseconds;
    if (wait > milliseconds * waitingShare) {
      throw new Refusal(
        429,
        `overloaded: ${this.#count} requests are being decided, which takes about ${Math.ceil(wait)} ms, and ${Math.max(0, Math.floor(milliseconds))} ms are left to answer`,
      );
    }
    this.#count++;
  }

  /** Ends a request; one that was decided took some milliseconds of work. */
  end(milliseconds?: number): void {
    this.#count--;
    if (milliseconds === undefined) return;
    this.#average += weightOfNewest * (milliseconds - this.#average);
  }
}
