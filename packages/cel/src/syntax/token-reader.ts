import { Lexer, type Token, type TokenKind } from './lexer.ts';

const maximalDepth = 250;
// More than any text within the limit of code points has, unless macros double what they are called on
// again and again, for which cel-go would need exponential time.
const maximalNodes = 200_000;

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

/** Reads tokens one by one, numbers the nodes made of them, and watches how deep they are nested. */
export abstract class TokenReader {
  protected readonly text: string;
  protected token: Token;
  /** How many levels the tree has that was parsed last, as cel-go counts them. */
  protected height = 0;
  private readonly lexer: Lexer;
  private ids = 0;

  constructor(text: string) {
    this.text = text;
    this.lexer = new Lexer(text);
    this.token = this.lexer.next();
  }

  protected nextId(): number {
    if (this.ids >= maximalNodes) {
      const message = `expression with its macros expanded exceeds limit: ${maximalNodes} nodes`;
      throw new SyntaxFailure(message, -1, 'limit');
    }
    return ++this.ids;
  }

  protected at(kind: TokenKind): boolean {
    return this.token.kind === kind;
  }

  protected advance(): Token {
    const token = this.token;
    this.token = this.lexer.next();
    return token;
  }

  protected expect(kind: TokenKind): Token {
    if (this.token.kind !== kind) {
      this.fail(this.token);
    }
    return this.advance();
  }

  protected fail(token: Token): never {
    if (token.kind === 'end') {
      throw new SyntaxFailure('Syntax error: unexpected end of the expression', token.start);
    }
    const text = this.text.slice(token.start, Math.max(token.end, token.start + 1));
    throw new SyntaxFailure(`Syntax error: unexpected \`${text}\``, token.start);
  }

  protected nest(depth: number): void {
    if (depth > maximalDepth) {
      throw new SyntaxFailure(`expression recursion limit exceeded: ${maximalDepth}`, -1, 'limit');
    }
  }

  protected grow(below: number): void {
    this.height = below + 1;
    if (this.height > maximalDepth) {
      throw new SyntaxFailure('max recursion depth exceeded', -1, 'limit');
    }
  }
}
