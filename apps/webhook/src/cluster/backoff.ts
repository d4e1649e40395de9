const firstMilliseconds = 500;
const mostMilliseconds = 30_000;

/**
 * The wait before the next attempt: it doubles with each failure, and is random so that clients do not retry
 * together.
 */
export class Backoff {
  #failures = 0;
  readonly #random: () => number;

  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** An attempt succeeded. */
  reset(): void {
    this.#failures = 0;
  }

  /** The milliseconds to wait after an attempt that failed. */
  next(): number {
    const whole = Math.min(firstMilliseconds * 2 ** this.#failures++, mostMilliseconds);
    return whole * (0.5 + this.#random() / 2);
  }
}
