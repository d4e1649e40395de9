/** A sequence of numbers that a seed decides (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whether something with the chance happens. */
  chance(chance: number): boolean {
    return this.next() < chance;
  }

  /** One of several; `undefined` of none. */
  pick<Choice>(choices: readonly Choice[]): Choice | undefined {
    return choices[Math.floor(this.next() * choices.length)];
  }
}
