import { quote } from '../quote/quote.ts';
import { encodeUtf8 } from '../text/utf8.ts';

/** What a scan of a JSON text finds. */
export interface JsonScan {
  /** The syntax error as Go's encoding/json words it; absent where the text is one JSON value. */
  readonly error?: string;
  /** The paths of members that an object has twice, such as `spec.rules[0].name`. */
  readonly duplicates: readonly string[];
}

/** Scans a JSON text for what `JSON.parse` does not tell: Go's error, and repeated members. */
export function scanJson(text: string): JsonScan {
  const scanner = new Scanner(text);
  try {
    scanner.document();
    return { duplicates: scanner.duplicates };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { error: error.message, duplicates: scanner.duplicates };
  }
}

class SyntaxProblem extends Error {}

/** Go's encoding/json refuses deeper nesting. */
const deepest = 10_000;
/** Where Go takes the end of the text for a space in the wrong place. */
const endIsSpace = /numeric literal|in literal|escape/;

/** A list or an object that is not closed yet. */
interface Open {
  readonly path: string;
  /** The keys of an object so far; absent for a list. */
  readonly keys?: Set<string>;
  /** The path of the element that is read, or of the member. */
  current: string;
  count: number;
}

class Scanner {
  readonly duplicates: string[] = [];
  readonly #text: string;
  // Nesting is followed by a list and not by recursion, so that its depth cannot exhaust the stack.
  readonly #open: Open[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    while (this.#opens() || this.#hasNext());
    this.#space();
    if (this.#at < this.#text.length) this.#fail('after top-level value');
  }

  /** Takes a value, or the beginning of a list or object up to its first value: whether one follows there. */
  #opens(): boolean {
    this.#space();
    const isObject = this.#take('{');
    if (!isObject && !this.#take('[')) {
      this.#scalar();
      return false;
    }
    if (this.#open.length >= deepest) throw new SyntaxProblem('exceeded max depth');
    this.#space();
    if (this.#take(isObject ? '}' : ']')) return false;
    const path = this.#open.at(-1)?.current ?? '';
    const open: Open = { path, current: '', count: 0, ...(isObject ? { keys: new Set() } : {}) };
    this.#open.push(open);
    this.#element(open);
    return true;
  }

  /** After a value: closes what ends here; whether another value follows. */
  #hasNext(): boolean {
    for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
      this.#space();
      if (this.#take(',')) {
        this.#element(open);
        return true;
      }
      if (!this.#take(open.keys === undefined ? ']' : '}')) {
        this.#fail(open.keys === undefined ? 'after array element' : 'after object key:value pair');
      }
      this.#open.pop();
    }
    return false;
  }

  /** What stands before a value: the key of a member, nothing for an element. */
  #element(open: Open): void {
    if (open.keys === undefined) {
      open.current = `${open.path}[${open.count++}]`;
      return;
    }
    this.#space();
    if (!this.#take('"')) this.#fail('looking for beginning of object key string');
    const key = this.#string();
    open.current = open.path === '' ? key : `${open.path}.${key}`;
    if (open.keys.has(key)) this.duplicates.push(open.current);
    open.keys.add(key);
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

  /** The text of a string whose opening quote was taken. */
  #string(): string {
    const start = this.#at - 1;
    let hasEscapes = false;
    while (!this.#take('"')) {
      const code = this.#text.charCodeAt(this.#at);
      if (Number.isNaN(code) || code < 0x20) this.#fail('in string literal');
      this.#at++;
      if (code !== 0x5c) continue;
      hasEscapes = true;
      this.#escape();
    }
    const raw = this.#text.slice(start, this.#at);
    return hasEscapes ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  }

  #escape(): void {
    if (this.#take('"\\/bfnrt')) return;
    if (!this.#take('u')) this.#fail('in string escape code');
    for (let digit = 0; digit < 4; digit++) {
      if (!this.#take('0123456789abcdefABCDEF')) this.#fail('in \\u hexadecimal character escape');
    }
  }

  #number(): void {
    const isNegative = this.#take('-');
    if (!this.#take('0')) {
      if (!this.#take('123456789')) {
        this.#fail(isNegative ? 'in numeric literal' : 'looking for beginning of value');
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

  #space(): void {
    while (this.#take(' \n\r\t'));
  }

  /** Whether one of the characters is next; it is taken then. */
  #take(characters: string): boolean {
    const next = this.#text[this.#at];
    if (next === undefined || !characters.includes(next)) return false;
    this.#at++;
    return true;
  }

  /** Go looks at bytes, and names the first one of a character as if it were a character of its own. */
  #fail(context: string): never {
    const code = this.#text.codePointAt(this.#at);
    if (code === undefined && !endIsSpace.test(context)) {
      throw new SyntaxProblem('unexpected end of JSON input');
    }
    const [byte = 0x20] = encodeUtf8(String.fromCodePoint(code ?? 0x20));
    throw new SyntaxProblem(`invalid character ${quoteByte(byte)} ${context}`);
  }
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return "'\\''";
  if (byte === 0x22) return "'\"'";
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
