import { quote } from '../quote/quote.ts';
import { encodeUtf8 } from '../text/utf8.ts';

/** Invalid JSON, or a number in it that is out of range. */
export class JsonError extends Error {
  /** Offset of the mistake in UTF-16 units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = 'JsonError';
    this.position = position;
  }
}

/** Where Go takes the end of the text for a space in the wrong place. */
const endIsSpace = /numeric literal|in literal|escape/;

/**
 * Creates encoding/json's error for an unexpected character. Go works on bytes, and names the first byte of a
 * character as if it were a character.
 */
export function syntaxError(text: string, position: number, context: string): JsonError {
  const code = text.codePointAt(position);
  if (code === undefined && !endIsSpace.test(context)) {
    return new JsonError('unexpected end of JSON input', position);
  }
  const [byte = 0x20] = encodeUtf8(String.fromCodePoint(code ?? 0x20));
  return new JsonError(`invalid character ${quoteByte(byte)} ${context}`, position);
}

/** Formats a byte as the errors of encoding/json name it, as if it were a character. */
export function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return "'\"'";
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

const digit = '0123456789';
const hexadecimal = `${digit}abcdefABCDEF`;

/** Creates the error for an invalid scalar that starts at an offset. */
export function scalarError(text: string, start: number): JsonError {
  const first = text[start] ?? '';
  const word = ['true', 'false', 'null'].find((each) => each.startsWith(first) && first !== '');
  if (word !== undefined) return literalError(text, start, word);
  if (first === '"') return stringError(text, start);
  if (!/[-0-9]/.test(first)) return syntaxError(text, start, 'looking for beginning of value');
  return new Walk(text, start).number(first === '-');
}

function literalError(text: string, start: number, word: string): JsonError {
  let at = 1;
  while (text[start + at] === word[at]) at++;
  return syntaxError(text, start + at, `in literal ${word} (expecting '${word[at]}')`);
}

/** Creates the error for an invalid string that starts at an offset. */
export function stringError(text: string, start: number): JsonError {
  return new Walk(text, start).string();
}

/** Finds where Go stops in a scalar that is known to be wrong. */
class Walk {
  readonly #text: string;
  #at: number;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#at = start + 1;
  }

  string(): JsonError {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code) || code < 0x20) return this.#fail('in string literal');
      this.#at++;
      if (code !== 0x5c || this.#take('"\\/bfnrt')) continue;
      if (!this.#take('u')) return this.#fail('in string escape code');
      for (let count = 0; count < 4; count++) {
        if (!this.#take(hexadecimal)) return this.#fail('in \\u hexadecimal character escape');
      }
    }
  }

  number(isNegative: boolean): JsonError {
    if (isNegative && !this.#take(digit)) return this.#fail('in numeric literal');
    while (this.#take(digit));
    if (this.#take('.')) {
      if (!this.#take(digit)) return this.#fail('after decimal point in numeric literal');
      while (this.#take(digit));
    }
    this.#take('eE');
    this.#take('+-');
    return this.#fail('in exponent of numeric literal');
  }

  #fail(context: string): JsonError {
    return syntaxError(this.#text, this.#at, context);
  }

  /** Whether one of the characters is next; it is taken then. */
  #take(characters: string): boolean {
    const next = this.#text[this.#at];
    if (next === undefined || !characters.includes(next)) return false;
    this.#at++;
    return true;
  }
}
