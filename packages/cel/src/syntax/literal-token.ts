import type { Value } from '../values/value.ts';
import type { Token } from './lexer.ts';
import {
  bytesLiteral,
  doubleLiteral,
  intLiteral,
  stringLiteral,
  UnescapeError,
  uintLiteral,
} from './literal.ts';
import { SyntaxFailure, type TokenReader } from './token-reader.ts';

/** literal: number | string | bytes | true | false | null; the token after it comes next. */
export function readLiteral(tokens: TokenReader): Value {
  const { token } = tokens;
  const value = literalValue(tokens, token);
  tokens.advance();
  return value;
}

/** The number after a minus at the position. */
export function readSignedNumber(tokens: TokenReader, position: number): Value {
  const { token } = tokens;
  const { kind } = token;
  if (kind !== 'int' && kind !== 'double') return tokens.fail(token);
  tokens.advance();
  const text = `-${tokens.textOf(token)}`;
  return valid(kind === 'int' ? intLiteral(text) : doubleLiteral(text), kind, position);
}

function literalValue(tokens: TokenReader, token: Token): Value {
  switch (token.kind) {
    case 'int':
      return valid(intLiteral(tokens.textOf(token)), 'int', token.start);
    case 'uint':
      return valid(uintLiteral(tokens.textOf(token)), 'uint', token.start);
    case 'double':
      return valid(doubleLiteral(tokens.textOf(token)), 'double', token.start);
    case 'string':
      return unescaped(token, stringLiteral, tokens.textOf(token));
    case 'bytes':
      return unescaped(token, bytesLiteral, tokens.textOf(token));
    case 'true':
    case 'false':
      return token.kind === 'true';
    case 'null':
      return null;
    default:
      return tokens.fail(token);
  }
}

function unescaped(token: Token, read: (text: string) => Value, text: string): Value {
  try {
    return read(text);
  } catch (failure) {
    if (!(failure instanceof UnescapeError)) throw failure;
    throw new SyntaxFailure(failure.message, token.start);
  }
}

function valid(value: Value | undefined, type: string, position: number): Value {
  if (value === undefined) throw new SyntaxFailure(`invalid ${type} literal`, position);
  return value;
}
