import { Double, type Value } from '@kubeadmit/cel';

/** Text that is not JSON, or JSON that names a key twice. */
export class JsonSyntaxError extends Error {
  /** Where in the text it was noticed: an index of UTF-16 code units. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.name = 'JsonSyntaxError';
    this.offset = offset;
  }
}

/** How {@link parseJson} reads. */
export interface JsonOptions {
  /** Whether a key named twice in one object is an error; otherwise the last one wins, as in Go. */
  readonly uniqueKeys?: boolean;
}

/** A JSON value and where it ended in the text. */
export interface JsonPrefix {
  readonly value: Value;
  readonly end: number;
  /** Where the elements begin of a list `items` in the outermost object. */
  readonly itemStarts: readonly number[];
}

/** Go's encoding/json refuses deeper nesting. */
const deepest = 10_000;

/**
 * What `JSON.parse` would change: a number beyond 2^53, a double with an integral value, `-0`, and
 * half of a surrogate pair, which is U+FFFD in Go.
 */
const delicate = /(?:^|[:,[\s])(?:-0|-?\d+[.eE]|-?\d{16})|\\u[dD][89a-fA-F]/;

/**
 * Reads one JSON text without losing what a number is: `1` is an int and `1.0` a double, and ints
 * beyond 2^53 keep their digits (apimachinery, `util/json`).
 *
 * @throws JsonSyntaxError when the text is not JSON.
 */
export function parseJson(text: string, options: JsonOptions = {}): Value {
  if (options.uniqueKeys !== true && !delicate.test(text)) {
    try {
      return JSON.parse(text) as Value;
    } catch {
      // Read it again below: V8's texts differ between versions of Node and have no position.
    }
  }
  const { value, end } = parseJsonPrefix(text, 0, options);
  const rest = skipSpace(text, end);
  if (rest < text.length) throw unexpected(text, rest);
  return value;
}

/**
 * Reads the JSON value that begins at `start`, and says where it ends.
 *
 * @throws JsonSyntaxError when no JSON value begins there.
 */
export function parseJsonPrefix(text: string, start: number, options: JsonOptions): JsonPrefix {
  return new Reader(text, start, options.uniqueKeys === true).read();
}

/** The first index from `at` on that is not JSON white space. */
export function skipSpace(text: string, at: number): number {
  let index = at;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return index;
}

/**
 * What the text of a JSON number means to Kubernetes: an int when it fits into 64 bits, and a
 * double otherwise.
 */
export function jsonNumber(text: string): Value {
  if (/^-?\d+$/.test(text)) {
    const short = Number(text);
    if (Number.isSafeInteger(short)) return short === 0 ? 0 : short;
    const exact = BigInt(text);
    if (BigInt.asIntN(64, exact) === exact) return exact;
  }
  return double(Number(text));
}

/** A CEL double of this value. */
export function double(value: number): Value {
  return Number.isInteger(value) ? new Double(value) : value;
}

/** Sets a key that the user chose: `__proto__` is a key as any other. */
export function setKey(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else {
    target[key] = value;
  }
}

type Container = Value[] | Record<string, Value>;

const literals: readonly (readonly [string, Value])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

const numberAt = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
const plainStringAt = /"([^"\\\u0000-\u001f]*)"/y;
const stringAt =
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;

/** A reader with a stack of its own, so that deep nesting costs no call stack. */
class Reader {
  readonly #text: string;
  readonly #uniqueKeys: boolean;
  readonly #itemStarts: number[] = [];
  #at: number;

  constructor(text: string, start: number, uniqueKeys: boolean) {
    this.#text = text;
    this.#at = start;
    this.#uniqueKeys = uniqueKeys;
  }

  read(): JsonPrefix {
    const open: Container[] = [];
    const keys: string[] = [];
    for (;;) {
      let value = this.#startValue(open, keys);
      if (value === undefined) continue;
      for (;;) {
        const into = open.at(-1);
        if (into === undefined) return { value, end: this.#at, itemStarts: this.#itemStarts };
        if (Array.isArray(into)) into.push(value);
        else setKey(into, keys.pop() ?? '', value);
        if (this.#next(into, keys)) break;
        open.pop();
        value = into;
      }
    }
  }

  /** A complete value, or `undefined` after opening a container that has an element. */
  #startValue(open: Container[], keys: string[]): Value | undefined {
    this.#space();
    if (open.length === 2 && keys[0] === 'items' && Array.isArray(open[1])) {
      this.#itemStarts.push(this.#at);
    }
    const character = this.#text[this.#at];
    if (character !== '[' && character !== '{') return this.#scalar();
    if (open.length >= deepest) throw new JsonSyntaxError('exceeded max depth', this.#at);
    const container: Container = character === '[' ? [] : {};
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === (character === '[' ? ']' : '}')) {
      this.#at++;
      return container;
    }
    if (!Array.isArray(container)) keys.push(this.#key(container));
    open.push(container);
    return undefined;
  }

  /** Whether another element of the container follows; its key is then on the stack. */
  #next(container: Container, keys: string[]): boolean {
    this.#space();
    const character = this.#text[this.#at];
    const isList = Array.isArray(container);
    if (character === (isList ? ']' : '}')) {
      this.#at++;
      return false;
    }
    if (character !== ',') throw unexpected(this.#text, this.#at);
    this.#at++;
    if (!isList) {
      this.#space();
      keys.push(this.#key(container));
    }
    return true;
  }

  #key(container: Record<string, Value>): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw unexpected(this.#text, start);
    const key = this.#string();
    if (this.#uniqueKeys && Object.hasOwn(container, key)) {
      throw new JsonSyntaxError(`key ${JSON.stringify(key)} already set in map`, start);
    }
    this.#space();
    if (this.#text[this.#at] !== ':') throw unexpected(this.#text, this.#at);
    this.#at++;
    return key;
  }

  #scalar(): Value {
    const text = this.#text;
    if (text[this.#at] === '"') return this.#string();
    for (const [word, value] of literals) {
      if (text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    numberAt.lastIndex = this.#at;
    const number = numberAt.exec(text)?.[0];
    if (number === undefined) throw unexpected(text, this.#at);
    this.#at += number.length;
    return jsonNumber(number);
  }

  #string(): string {
    plainStringAt.lastIndex = this.#at;
    const plain = plainStringAt.exec(this.#text);
    if (plain !== null) {
      this.#at = plainStringAt.lastIndex;
      return plain[1] ?? '';
    }
    stringAt.lastIndex = this.#at;
    const quoted = stringAt.exec(this.#text)?.[0];
    if (quoted === undefined) throw new JsonSyntaxError('invalid string', this.#at);
    this.#at += quoted.length;
    return (JSON.parse(quoted) as string).replaceAll(/\p{Surrogate}/gu, '\ufffd');
  }

  #space(): void {
    this.#at = skipSpace(this.#text, this.#at);
  }
}

function unexpected(text: string, offset: number): JsonSyntaxError {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return new JsonSyntaxError(
    offset >= text.length
      ? 'unexpected end of JSON input'
      : `unexpected character ${JSON.stringify(character)}`,
    offset,
  );
}
