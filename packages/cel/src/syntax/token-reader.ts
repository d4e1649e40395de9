import { Lexer, type Token, type TokenKind } from './lexer.ts';

/** Thrown where a text cannot be read on. */
export class SyntaxFailure extends Error {
  readonly code: 'syntax' | 'limit';
  readonly position: number;

  constructor(message: string, position: number, code: 'syntax' | 'limit' = 'syntax') {
    super(message);
    this.position = position;
    this.code = code;
  }
}

/** Reads the tokens of a text one by one, one of them ahead. */
export class TokenReader {
  readonly text: string;
  /** The token that comes next. */
  token: Token;
  readonly #lexer: Lexer;

  constructor(text: string) {
    this.text = text;
    this.#lexer = new Lexer(text);
    this.token = this.#lexer.next();
  }

  at(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  advance(): Token {
    const token = this.token;
    this.token = this.#lexer.next();
    return token;
  }

  expect(kind: TokenKind): Token {
    if (this.token.kind !== kind) this.fail(this.token);
    return this.advance();
  }

  textOf({ start, end }: Token): string {
    return this.text.slice(start, end);
  }

  fail(token: Token): never {
    if (token.kind === 'end') {
      throw new SyntaxFailure('Syntax error: unexpected end of the expression', token.start);
    }
    const text = this.text.slice(token.start, Math.max(token.end, token.start + 1));
    throw new SyntaxFailure(`Syntax error: unexpected \`${text}\``, token.start);
  }
}
