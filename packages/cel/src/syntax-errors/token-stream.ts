import type { Scanner } from './scanner.ts';
import { isVisible, type Token, type TokenKind, tokenKind } from './token.ts';

/** The visible tokens of an expression with a cursor; scans only as far as tokens are read. */
export class TokenStream {
  readonly #scanner: Scanner;
  readonly #all: Token[] = [];
  readonly #visible: Token[] = [];
  /** Number of visible tokens before the cursor. */
  position = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** The token at the cursor (1), one of the following (2 and more), or the end of input. */
  ahead(distance: number): Token {
    const wanted = this.position + distance - 1;
    for (;;) {
      const found = this.#visible[wanted];
      if (found !== undefined) return found;
      const last = this.#visible.at(-1);
      if (last?.kind === tokenKind.endOfInput) return last;
      const token = this.#scanner.next(this.#all.length);
      this.#all.push(token);
      if (isVisible(token)) this.#visible.push(token);
    }
  }

  get kind(): TokenKind {
    return this.ahead(1).kind;
  }

  /** The visible token before the cursor. */
  get previous(): Token | undefined {
    return this.#visible[this.position - 1];
  }

  /** Moves past the current token, unless it is the end of input, and scans the one after it. */
  advance(): void {
    if (this.kind === tokenKind.endOfInput) return;
    this.position += 1;
    this.ahead(1);
  }

  /** The source between two tokens, both included, without unrecognized pieces. */
  textBetween(first: Token, last: Token): string {
    return this.#all
      .slice(first.index, last.index + 1)
      .filter((token) => token.kind !== tokenKind.endOfInput)
      .map((token) => token.text)
      .join('');
  }
}
