import { quote } from '@kubeadmit/go';
import { mapText } from './value.ts';

/** A JSON value that was read, or Go's text of what is wrong with it. */
export type JsonReading = { readonly value: unknown } | { readonly error: string };

/** Reads JSON with the values and the error texts of Go's `json.Unmarshal` into an empty interface. */
export function readJson(text: string): JsonReading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: new ErrorFinder(text).find() };
  }
  const overflow = findOverflow(text);
  if (overflow !== undefined) {
    return { error: `json: cannot unmarshal number ${overflow} into Go value of type float64` };
  }
  return {
    value: /\\u[dD][89a-fA-F]|[\ud800-\udfff]/.test(text) ? mapText(value, wellFormed) : value,
  };
}

function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) =>
    found.length === 2 ? found : '\ufffd',
  );
}

function findOverflow(text: string): string | undefined {
  if (!/[eE]\+?\d{3}|\d{300}/.test(text)) return undefined;
  for (const [found, number] of text.matchAll(/"(?:[^"\\]|\\.)*"|(-?\d[\d.eE+-]*)/g)) {
    if (number !== undefined && !Number.isFinite(Number(number))) return found;
  }
  return undefined;
}

/** Where Go takes the end of the text for a space in the wrong place. */
const endIsCharacter = /numeric literal|in literal|escape/;

class Stop extends Error {}

/** Walks a text that is not JSON up to the first wrong character, as Go's scanner does. */
class ErrorFinder {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find(): string {
    try {
      this.#value();
      this.#space();
      if (this.#at < this.#text.length) this.#fail('after top-level value');
    } catch (stop) {
      if (stop instanceof Stop) return stop.message;
      throw stop;
    }
    return 'unexpected end of JSON input';
  }

  #fail(context: string): never {
    const character = this.#text.codePointAt(this.#at);
    if (character === undefined && !endIsCharacter.test(context)) {
      throw new Stop('unexpected end of JSON input');
    }
    throw new Stop(`invalid character ${quoteByte(character ?? 0x20)} ${context}`);
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? '')) this.#at++;
  }

  /** Whether one of the given characters is next; it is taken then. */
  #take(characters: string): boolean {
    const next = this.#text[this.#at];
    if (next === undefined || !characters.includes(next)) return false;
    this.#at++;
    return true;
  }

  #value(): void {
    // INVARIANT: nesting is followed by this list and not by recursion, so that its depth cannot exhaust the stack.
    const open: string[] = [];
    for (;;) {
      this.#space();
      if (this.#take('{')) {
        this.#space();
        if (!this.#take('}')) {
          this.#key();
          open.push('}');
          continue;
        }
      } else if (this.#take('[')) {
        this.#space();
        if (!this.#take(']')) {
          open.push(']');
          continue;
        }
      } else {
        this.#scalar();
      }
      if (!this.#closeValues(open)) return;
    }
  }

  /** After a value: closes what ends here; whether another value follows. */
  #closeValues(open: string[]): boolean {
    for (;;) {
      const end = open.at(-1);
      if (end === undefined) return false;
      this.#space();
      if (this.#take(end)) {
        open.pop();
      } else if (this.#take(',')) {
        if (end === '}') this.#key();
        return true;
      } else {
        this.#fail(end === '}' ? 'after object key:value pair' : 'after array element');
      }
    }
  }

  #key(): void {
    this.#space();
    if (!this.#take('"')) this.#fail('looking for beginning of object key string');
    this.#string();
    this.#space();
    if (!this.#take(':')) this.#fail('after object key');
  }

  #scalar(): void {
    if (this.#take('"')) this.#string();
    else if (this.#take('t')) this.#literal('true');
    else if (this.#take('f')) this.#literal('false');
    else if (this.#take('n')) this.#literal('null');
    else this.#number();
  }

  #literal(word: string): void {
    for (const letter of word.slice(1)) {
      if (!this.#take(letter)) this.#fail(`in literal ${word} (expecting '${letter}')`);
    }
  }

  #string(): void {
    while (!this.#take('"')) {
      const next = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(next) || next < 0x20) this.#fail('in string literal');
      this.#at++;
      if (next !== 0x5c || this.#take('"\\/bfnrt')) continue;
      if (!this.#take('u')) this.#fail('in string escape code');
      for (let digit = 0; digit < 4; digit++) {
        if (!this.#take('0123456789abcdefABCDEF'))
          this.#fail('in \\u hexadecimal character escape');
      }
    }
  }

  #number(): void {
    const negative = this.#take('-');
    if (!this.#take('0')) {
      if (!this.#take('123456789')) {
        this.#fail(negative ? 'in numeric literal' : 'looking for beginning of value');
      }
      this.#digits();
    }
    if (this.#take('.')) {
      if (!this.#take('0123456789')) this.#fail('after decimal point in numeric literal');
      this.#digits();
    }
    if (this.#take('eE')) {
      this.#take('+-');
      if (!this.#take('0123456789')) this.#fail('in exponent of numeric literal');
      this.#digits();
    }
  }

  #digits(): void {
    while (this.#take('0123456789'));
  }
}

/** Go names the first byte of a character as if it were a character of its own. */
function quoteByte(code: number): string {
  if (code === 0x27) return "'\\''";
  if (code === 0x22) return "'\"'";
  const byte =
    code < 0x80
      ? code
      : code < 0x800
        ? 0xc0 | (code >> 6)
        : code < 0x10000
          ? 0xe0 | (code >> 12)
          : 0xf0 | (code >> 18);
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
