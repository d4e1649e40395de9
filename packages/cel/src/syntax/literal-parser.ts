import type { Value } from '../values/value.ts';
import type { Expression } from './expression.ts';
import type { Token } from './lexer.ts';
import {
  bytesLiteral,
  doubleLiteral,
  intLiteral,
  stringLiteral,
  UnescapeError,
  uintLiteral,
} from './literal.ts';
import { SyntaxFailure, TokenReader } from './token-reader.ts';

/** Parses literals of one token, and numbers with a sign. */
export abstract class LiteralParser extends TokenReader {
  /** The number after a minus at the position. */
  protected signedNumber(position: number): Expression {
    const { kind, start, end } = this.token;
    this.height = 0;
    if (kind !== 'int' && kind !== 'double') {
      return this.fail(this.token);
    }
    this.advance();
    const text = `-${this.text.slice(start, end)}`;
    const value = kind === 'int' ? intLiteral(text) : doubleLiteral(text);
    return this.literalNode(position, value, kind);
  }

  /** literal: number | string | bytes | true | false | null */
  protected literal(): Expression {
    const token = this.token;
    const text = this.text.slice(token.start, token.end);
    switch (token.kind) {
      case 'int':
        this.advance();
        return this.literalNode(token.start, intLiteral(text), 'int');
      case 'uint':
        this.advance();
        return this.literalNode(token.start, uintLiteral(text), 'uint');
      case 'double':
        this.advance();
        return this.literalNode(token.start, doubleLiteral(text), 'double');
      case 'string':
      case 'bytes':
        this.advance();
        return this.literalNode(token.start, this.unescape(token, text), token.kind);
      case 'true':
      case 'false':
        this.advance();
        return this.literalNode(token.start, token.kind === 'true', 'bool');
      case 'null':
        this.advance();
        return this.literalNode(token.start, null, 'null');
      default:
        return this.fail(token);
    }
  }

  private unescape(token: Token, text: string): Value {
    try {
      return token.kind === 'string' ? stringLiteral(text) : bytesLiteral(text);
    } catch (failure) {
      if (failure instanceof UnescapeError) {
        throw new SyntaxFailure(failure.message, token.start);
      }
      throw failure;
    }
  }

  private literalNode(position: number, value: Value | undefined, type: string): Expression {
    if (value === undefined) {
      throw new SyntaxFailure(`invalid ${type} literal`, position);
    }
    return { kind: 'literal', id: this.nextId(), position, value };
  }
}
