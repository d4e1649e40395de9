import { fixedTexts, type Token, type TokenKind, tokenKind } from './token.ts';

/** Called for a piece of source that starts no token. */
export type UnrecognizedText = (text: string, line: number, column: number) => void;

const patterns: readonly (readonly [TokenKind, RegExp])[] = [
  [tokenKind.whitespace, /[\t \r\n\f]+/y],
  [tokenKind.comment, /\/\/[^\n]*/y],
  [tokenKind.double, /[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/y],
  [tokenKind.double, /\.[0-9]+(?:[eE][+-]?[0-9]+)?/y],
  [tokenKind.uint, /0x[0-9a-fA-F]+[uU]|[0-9]+[uU]/y],
  [tokenKind.int, /0x[0-9a-fA-F]+|[0-9]+/y],
  [tokenKind.escapedIdentifier, /`[a-zA-Z0-9_./ -]+`/y],
];
const operator = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const word = /[a-zA-Z_][a-zA-Z0-9_]*/y;
const quoted = /([bB]?)([rR]?)("""|'''|["'])/y;
const keywords = new Map<string, TokenKind>(
  ['in', 'true', 'false', 'null'].map((text) => [text, fixedTexts.indexOf(text)]),
);
const operators = new Map<string, TokenKind>(
  fixedTexts.flatMap((text, kind) => (text === '' || keywords.has(text) ? [] : [[text, kind]])),
);
const escapeSequence =
  /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;
const beginOfEscape = /\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?/y;
const beginOfEscapedIdentifier = /`[a-zA-Z0-9_./ -]*/y;

function lengthAt(pattern: RegExp, source: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0].length ?? 0;
}

/** Where a string's body ends: after its closing quotes, or where no string could go on. */
interface StringEnd {
  readonly offset: number;
  readonly closed: boolean;
}

function endOfString(source: string, start: number, quotes: string, raw: boolean): StringEnd {
  const multiline = quotes.length === 3;
  let offset = start;
  while (offset < source.length) {
    if (source.startsWith(quotes, offset)) return { offset: offset + quotes.length, closed: true };
    const char = source[offset];
    if (!multiline && (char === '\n' || char === '\r')) break;
    if (!raw && char === '\\') {
      const length = lengthAt(escapeSequence, source, offset);
      if (length === 0) {
        return { offset: offset + lengthAt(beginOfEscape, source, offset), closed: false };
      }
      offset += length;
    } else {
      offset += 1;
    }
  }
  return { offset, closed: false };
}

/** The end of a string literal at the offset, its prefixes included, or 0. */
function stringLiteral(source: string, offset: number): { length: number; bytes: boolean } {
  quoted.lastIndex = offset;
  const [opening = '', bytes = '', raw = '', quotes = ''] = quoted.exec(source) ?? [];
  const found = { length: 0, bytes: bytes !== '' };
  if (opening === '') return found;
  const end = endOfString(source, offset + opening.length, quotes, raw !== '');
  if (end.closed) {
    found.length = end.offset - offset;
  } else if (quotes.length === 3) {
    // Three quotes that nothing closes still begin with an empty string of two.
    found.length = opening.length - 1;
  }
  return found;
}

/** The offset of the first character that fits no token beginning at the given offset. */
function misfit(source: string, offset: number, absent: TokenKind | undefined): number {
  const char = source[offset];
  if (char === '=' || char === '&' || char === '|') return offset + 1;
  if (char === '`' && absent !== tokenKind.escapedIdentifier)
    return offset + lengthAt(beginOfEscapedIdentifier, source, offset);
  if (char === '"' || char === "'") return endOfString(source, offset + 1, char, false).offset;
  return offset;
}

/**
 * Cuts an expression into tokens, white space and comments included (CEL specification, "Syntax";
 * longest match first). Tokens are made one at a time, so that messages about unrecognized text come
 * in the order in which cel-go's parser would cause them.
 */
export class Scanner {
  readonly #source: string;
  readonly #unrecognized: UnrecognizedText;
  readonly #absent: TokenKind | undefined;
  #offset = 0;
  #line = 1;
  #column = 0;

  /** The source must be well-formed Unicode; there are no tokens of the absent kind. */
  constructor(source: string, unrecognized: UnrecognizedText, absent?: TokenKind) {
    this.#source = source;
    this.#unrecognized = unrecognized;
    this.#absent = absent;
  }

  /** The next token; at the end of the source always the end of input. */
  next(index: number): Token {
    while (this.#offset < this.#source.length) {
      const { kind, length } = this.#match();
      const { line, column } = { line: this.#line, column: this.#column };
      if (length > 0) return { kind, text: this.#take(length), line, column, index };
      const end = misfit(this.#source, this.#offset, this.#absent);
      const last = this.#source.codePointAt(end);
      const wrong = this.#take(end - this.#offset + (last === undefined ? 0 : width(last)));
      this.#unrecognized(wrong, line, column);
    }
    const { line, column } = { line: this.#line, column: this.#column };
    return { kind: tokenKind.endOfInput, text: '<EOF>', line, column, index };
  }

  #match(): { kind: TokenKind; length: number } {
    const source = this.#source;
    const offset = this.#offset;
    const literal = stringLiteral(source, offset);
    if (literal.length > 0) {
      return { kind: literal.bytes ? tokenKind.bytes : tokenKind.string, length: literal.length };
    }
    for (const [kind, pattern] of patterns) {
      if (kind === this.#absent) continue;
      const length = lengthAt(pattern, source, offset);
      if (length > 0) return { kind, length };
    }
    const wordLength = lengthAt(word, source, offset);
    if (wordLength > 0) {
      const text = source.slice(offset, offset + wordLength);
      return { kind: keywords.get(text) ?? tokenKind.identifier, length: wordLength };
    }
    const length = lengthAt(operator, source, offset);
    const text = source.slice(offset, offset + length);
    return { kind: operators.get(text) ?? 0, length };
  }

  #take(length: number): string {
    const text = this.#source.slice(this.#offset, this.#offset + length);
    this.#offset += length;
    for (const char of text) {
      if (char === '\n') {
        this.#line += 1;
        this.#column = 0;
      } else {
        this.#column += 1;
      }
    }
    return text;
  }
}

function width(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}
