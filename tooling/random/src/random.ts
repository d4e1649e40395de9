/** A random number generator with a seed (mulberry32), so that every run can be repeated. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to and without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to and without the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** True with a probability. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of several things, of which there must be some. */
  pick<Thing>(things: readonly Thing[]): Thing {
    if (things.length === 0) throw new RangeError('nothing to pick from');
    return things[this.below(things.length)] as Thing;
  }

  /** A list of things that are made, its length between two bounds. */
  list<Thing>(least: number, most: number, make: (index: number) => Thing): Thing[] {
    const length = least + this.below(most - least + 1);
    return Array.from({ length }, (_, index) => make(index));
  }

  /** The members that happen to be there, each with its probability. */
  some(
    members: Readonly<Record<string, readonly [probability: number, make: () => unknown]>>,
  ): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (const [key, [probability, make]] of Object.entries(members)) {
      if (this.chance(probability)) made[key] = make();
    }
    return made;
  }
}

/** The words of lines, which spaces divide. */
export function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}

/** The phrases of a block of text, which two blanks or the end of a line divide; nothing is escaped in it. */
export function phrases({ raw }: TemplateStringsArray): string[] {
  return raw
    .join('')
    .split(/ {2,}|\n/)
    .filter((phrase) => phrase !== '');
}
