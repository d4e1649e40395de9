import type { Token } from './token.ts';

/** Tokens that were made and not taken yet. Each has a number, counted from the beginning of the text. */
export class TokenQueue {
  #tokens: Token[] = [];
  #head = 0;
  #taken = 0;

  /** How many tokens were taken, which is the number of the first one that is left. */
  get taken(): number {
    return this.#taken;
  }

  /** The number of the token that is made next. */
  get next(): number {
    return this.#taken + this.#tokens.length - this.#head;
  }

  /** Whether all tokens were taken. */
  get isEmpty(): boolean {
    return this.#head === this.#tokens.length;
  }

  /** The first one that is left. */
  get first(): Token {
    return this.#tokens[this.#head] as Token;
  }

  /** Adds a token behind the others. */
  push(token: Token): void {
    this.#tokens.push(token);
  }

  /** Adds a token before the one that has the number; behind the others where that one was taken. */
  insert(number: number, token: Token): void {
    if (number < this.#taken) this.#tokens.push(token);
    else this.#tokens.splice(this.#head + number - this.#taken, 0, token);
  }

  /** Takes the first one. */
  shift(): void {
    this.#head++;
    this.#taken++;
    if (this.isEmpty) {
      this.#tokens = [];
      this.#head = 0;
    }
  }
}
