/**
 * What was made of texts that come again: of so many at most, and of so many UTF-16 units of text.
 *
 * What is made of a text is kept when it is asked for the second time, so that texts which come once leave nothing but
 * themselves. Kept in two halves: when the newer one is full the older one is forgotten, and what is asked for becomes
 * new.
 */
export class RecentTexts<Made> {
  // Null for a text that was asked for once.
  #newer: Map<string, Made | null> = new Map();
  #older: Map<string, Made | null> = new Map();
  readonly #most: number;
  readonly #mostUnits: number;
  #units = 0;

  constructor(most: number, mostUnits: number) {
    this.#most = most / 2;
    this.#mostUnits = mostUnits / 2;
  }

  /** What was made of a text, now or before. */
  get(text: string, make: (text: string) => Made): Made {
    const known = this.#newer.get(text);
    if (known !== undefined && known !== null) return known;
    const older = known === undefined ? this.#older.get(text) : null;
    const made = older ?? make(text);
    if (known === undefined) this.#makeRoom(text.length);
    if (text.length <= this.#mostUnits) this.#newer.set(text, older === undefined ? null : made);
    return made;
  }

  #makeRoom(length: number): void {
    this.#units += length;
    if (this.#newer.size < this.#most && this.#units <= this.#mostUnits) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#units = length;
  }
}
