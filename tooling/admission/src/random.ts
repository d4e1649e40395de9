/** Random choices that are the same for the same seed. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A number from 0 to 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** True with a probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of several things. */
  pick<Thing>(things: readonly Thing[]): Thing {
    return things[Math.floor(this.next() * things.length)] as Thing;
  }

  /** A list of things that are made, its length between two bounds. */
  list<Thing>(least: number, most: number, make: (index: number) => Thing): Thing[] {
    const length = least + Math.floor(this.next() * (most - least + 1));
    return Array.from({ length }, (_, index) => make(index));
  }

  /** The members that happen to be there, each with its probability. */
  some(members: Readonly<Record<string, readonly [number, () => unknown]>>): JsonObject {
    const made: Record<string, unknown> = {};
    for (const [key, [probability, make]] of Object.entries(members)) {
      if (this.chance(probability)) made[key] = make();
    }
    return made;
  }
}

/** An object of a case. */
export type JsonObject = Record<string, unknown>;
