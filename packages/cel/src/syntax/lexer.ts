/** The kind of a token: a class of tokens with text, or the symbol or keyword itself. */
export type TokenKind =
  | 'end'
  | 'identifier'
  | 'escaped identifier'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'error'
  | (typeof symbols)[number]
  | 'in'
  | 'true'
  | 'false'
  | 'null';

/** A token of the source, with its bounds in UTF-16 units. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

const symbols = [
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
  '<',
  '>',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '.',
  ',',
  '-',
  '!',
  '?',
  ':',
  '+',
  '*',
  '/',
  '%',
] as const;

/** By the code of their first character, longer ones first. */
const symbolsByStart: ReadonlyMap<number, readonly (typeof symbols)[number][]> = new Map(
  symbols.map((symbol) => [
    symbol.charCodeAt(0),
    symbols.filter((other) => other.charAt(0) === symbol.charAt(0)),
  ]),
);

const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

// One sticky expression for each class of tokens; none of them can backtrack more than a few steps.
const number =
  /(?<double>(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?))|(?<int>0x[0-9a-fA-F]+|[0-9]+)(?<unsigned>[uU])?/y;
const escapedWord = /`[A-Za-z0-9_./ -]+`/y;
const escapeSequence =
  /\\(?:[abfnrtv"'\\?`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})/y;

/**
 * Reads one token after another, always the longest one that the grammar allows.
 *
 * A place where no token starts gives the kind `error`.
 */
export class Lexer {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  next(): Token {
    this.#skipBlanks();
    const start = this.#position;
    const kind = this.#read();
    return { kind, start, end: this.#position };
  }

  #skipBlanks(): void {
    const text = this.#text;
    let at = this.#position;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c) {
        at++;
      } else if (code === 0x2f && text.charCodeAt(at + 1) === 0x2f) {
        const end = text.indexOf('\n', at);
        at = end === -1 ? text.length : end;
      } else {
        break;
      }
    }
    this.#position = at;
  }

  #read(): TokenKind {
    const text = this.#text;
    if (this.#position >= text.length) return 'end';
    const code = text.charCodeAt(this.#position);
    if (isLetter(code)) {
      return mayPrefixString(code) && this.#isQuotedSoon()
        ? this.#readStringOrWord()
        : this.#readWord();
    }
    if (code === 0x22 || code === 0x27) return this.#readStringOrWord();
    if (isDigit(code) || (code === 0x2e && isDigit(text.charCodeAt(this.#position + 1)))) {
      return this.#readNumber();
    }
    if (code === 0x60)
      return this.#take(escapedWord) === undefined ? 'error' : 'escaped identifier';
    const candidates = symbolsByStart.get(code);
    if (candidates === undefined) return 'error';
    for (const symbol of candidates) {
      const { length } = symbol;
      if (length === 1 || text.charCodeAt(this.#position + 1) === symbol.charCodeAt(1)) {
        this.#position += length;
        return symbol;
      }
    }
    return 'error';
  }

  /** Whether a quote follows within the two letters that a string may begin with. */
  #isQuotedSoon(): boolean {
    const text = this.#text;
    const position = this.#position;
    return isQuote(text.charCodeAt(position + 1)) || isQuote(text.charCodeAt(position + 2));
  }

  #readWord(): TokenKind {
    const text = this.#text;
    const position = this.#position;
    let end = position + 1;
    for (let code = text.charCodeAt(end); isLetter(code) || isDigit(code); ) {
      code = text.charCodeAt(++end);
    }
    this.#position = end;
    const length = end - position;
    if (length > 5 || length === 1 || !mayBeginKeyword(text.charCodeAt(position))) {
      return 'identifier';
    }
    const found = text.slice(position, end);
    return keywords.has(found) ? (found as TokenKind) : 'identifier';
  }

  #readNumber(): TokenKind {
    const text = this.#text;
    const position = this.#position;
    let end = position;
    while (isDigit(text.charCodeAt(end))) end++;
    let after = text.charCodeAt(end);
    const isDouble = after === 0x2e && isDigit(text.charCodeAt(end + 1));
    if (isDouble) {
      while (isDigit(text.charCodeAt(++end)));
      after = text.charCodeAt(end);
    }
    if (end > position && after !== 0x2e && !isLetter(after)) {
      this.#position = end;
      return isDouble ? 'double' : 'int';
    }
    const groups = this.#take(number)?.groups;
    if (groups === undefined) return 'error';
    if (groups['double'] !== undefined) return 'double';
    return groups['unsigned'] === undefined ? 'int' : 'uint';
  }

  #readStringOrWord(): TokenKind {
    const text = this.#text;
    let start = this.#position;
    const kind = isLetterOf(text.charCodeAt(start), 0x62) ? 'bytes' : 'string';
    if (kind === 'bytes') start++;
    const raw = isLetterOf(text.charCodeAt(start), 0x72);
    if (raw) start++;
    if (!isQuote(text.charCodeAt(start))) return this.#readWord();
    const mark = text.charAt(start);
    const isLong = text.charAt(start + 1) === mark && text.charAt(start + 2) === mark;
    const quote = isLong ? mark + mark + mark : mark;
    this.#position = start + quote.length;
    if (this.#readStringBody(quote, raw)) return kind;
    if (!isLong) return 'error';
    // `""` directly before a quote is the empty string where no longer string starts there.
    this.#position = start + 2;
    return kind;
  }

  /** Reads up to and with the closing quote; false when the string does not end well. */
  #readStringBody(quote: string, raw: boolean): boolean {
    const text = this.#text;
    const mark = quote.charCodeAt(0);
    const isShort = quote.length === 1;
    while (this.#position < text.length) {
      const code = text.charCodeAt(this.#position);
      if (code === mark && (isShort || text.startsWith(quote, this.#position))) {
        this.#position += quote.length;
        return true;
      }
      if (code === 0x5c && !raw) {
        if (this.#take(escapeSequence) === undefined) return false;
        continue;
      }
      if (isShort && (code === 0x0a || code === 0x0d)) return false;
      this.#position++;
    }
    return false;
  }

  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#position;
    const found = expression.exec(this.#text);
    if (found === null) return undefined;
    this.#position = expression.lastIndex;
    return found;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27;
}

/** Whether a string may begin with the letter: b, B, r, R. */
function mayPrefixString(code: number): boolean {
  return isLetterOf(code, 0x62) || isLetterOf(code, 0x72);
}

/** Whether a keyword may begin with the letter: f, i, n, t. */
function mayBeginKeyword(code: number): boolean {
  return code === 0x66 || code === 0x69 || code === 0x6e || code === 0x74;
}

/** Whether it is the letter in either case; `lower` is the code of the small one. */
function isLetterOf(code: number, lower: number): boolean {
  return (code | 0x20) === lower;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}
