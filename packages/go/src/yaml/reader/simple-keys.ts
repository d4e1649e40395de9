import type { Characters, Mark } from './characters.ts';

/** The maximum length of a key without `?`, in characters. */
const longestKey = 1024;

/** The possible start of a key without `?`. */
export interface SimpleKey {
  /** The number of its first token. */
  readonly number: number;
  readonly start: Mark;
  /** Whether it continues a block mapping, so that it is a key or an error. */
  readonly isRequired: boolean;
  /** Whether it may still be one. */
  isPossible: boolean;
}

/** The possible keys if a `:` follows: one for each open flow collection, and one outside. */
export class SimpleKeys {
  readonly #characters: Characters;
  readonly #open: SimpleKey[];
  /** In which collection the token with a number may begin a key. */
  readonly #levels = new Map<number, number>();

  constructor(characters: Characters) {
    this.#characters = characters;
    this.#open = [{ number: 0, start: characters.mark, isRequired: false, isPossible: false }];
  }

  /** Whether the token with the number may yet turn out to begin a key. */
  mayBeKey(number: number): boolean {
    const key = this.#open[this.#levels.get(number) ?? -1];
    return key !== undefined && this.#isPossible(key);
  }

  /** A key may begin here, with the token of the number. */
  begin(number: number, isRequired: boolean): void {
    this.forget();
    const level = this.#open.length - 1;
    this.#open[level] = { number, start: this.#characters.mark, isRequired, isPossible: true };
    this.#levels.set(number, level);
  }

  /** Removes and returns the key that ends here, if there is one. */
  take(): SimpleKey | undefined {
    const key = this.#innermost();
    if (!this.#isPossible(key)) return undefined;
    this.#remove(key);
    return key;
  }

  /** Discards the innermost possible key. */
  forget(): void {
    const key = this.#innermost();
    if (!key.isPossible) return;
    if (key.isRequired) throw this.#noColon();
    this.#remove(key);
  }

  /** A flow collection begins, with the token of the number. */
  open(number: number): void {
    const start = this.#characters.mark;
    this.#open.push({ number, start, isRequired: false, isPossible: false });
  }

  /** The innermost flow collection ends. One in which no key began is itself no key for the parser from now on. */
  close(): void {
    this.#remove(this.#innermost());
    this.#open.pop();
  }

  #innermost(): SimpleKey {
    return this.#open.at(-1) as SimpleKey;
  }

  #isPossible(key: SimpleKey): boolean {
    if (!key.isPossible) return false;
    const { line, index } = this.#characters;
    if (key.start.line >= line && key.start.index + longestKey >= index) return true;
    if (key.isRequired) throw this.#noColon();
    key.isPossible = false;
    return false;
  }

  #remove(key: SimpleKey): void {
    key.isPossible = false;
    this.#levels.delete(key.number);
  }

  #noColon(): Error {
    return this.#characters.broken("could not find expected ':'");
  }
}
