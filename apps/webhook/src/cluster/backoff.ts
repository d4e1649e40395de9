const firstMilliseconds = 500;
const mostMilliseconds = 30_000;

/** How long to wait before the next attempt: twice as long after each that fails, and not at once for all. */
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
