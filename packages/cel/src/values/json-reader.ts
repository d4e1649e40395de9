import { makeDouble } from './kind.ts';
import { setKey } from './set-key.ts';
import type { Value } from './value.ts';

/** How JSON is read. */
export interface JsonOptions {
  /**
   * Whether a number written with a point or an exponent is a double even where its value is whole,
   * as in Kubernetes (`1.0` is a double); otherwise such a number is an int.
   */
  readonly wholeDoubles?: boolean;
  /** Whether a name that occurs twice in one object is an error; otherwise the last one wins. */
  readonly uniqueKeys?: boolean;
  /** The member of the outermost object of which the places of the elements are told. */
  readonly startsOf?: string;
}

/** A text that is no JSON, or that names a key twice. */
export class JsonError extends Error {
  /** Offset of the mistake in UTF-16 units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.name = 'JsonError';
    this.position = position;
  }
}

/** A JSON value and where it ended in the text. */
export interface JsonPrefix {
  readonly value: Value;
  readonly end: number;
  /** Where the elements begin of the list that `startsOf` names. */
  readonly elementStarts: readonly number[];
}

/** Go's encoding/json refuses deeper nesting. */
const deepest = 10_000;

/**
 * Reads the JSON value that begins at `start`, and says where it ends. Throws {@link JsonError} when none
 * begins there.
 */
export function parseJsonPrefix(
  text: string,
  start: number,
  options: JsonOptions = {},
): JsonPrefix {
  return new JsonReader(text, start, options).read();
}

/** The first index from `at` on that is not JSON white space. */
export function skipJsonSpace(text: string, at: number): number {
  let index = at;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return index;
}

/**
 * What the text of a JSON number means: an int when it fits into 64 bits, and a double otherwise;
 * `undefined` when no double is that large.
 */
export function numberOf(text: string, options: JsonOptions = {}): Value | undefined {
  const value = Number(text);
  const isWhole = /^-?\d+$/.test(text);
  if (isWhole || options.wholeDoubles !== true) {
    if (Number.isSafeInteger(value)) return value + 0;
  }
  if (isWhole) {
    const exact = BigInt(text);
    if (BigInt.asIntN(64, exact) === exact) return exact;
  }
  return Number.isFinite(value) ? makeDouble(value) : undefined;
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
class JsonReader {
  readonly #text: string;
  readonly #options: JsonOptions;
  readonly #elementStarts: number[] = [];
  #at: number;

  constructor(text: string, start: number, options: JsonOptions) {
    this.#text = text;
    this.#at = start;
    this.#options = options;
  }

  read(): JsonPrefix {
    const open: Container[] = [];
    const keys: string[] = [];
    for (;;) {
      let value = this.#startValue(open, keys);
      if (value === undefined) continue;
      for (;;) {
        const into = open.at(-1);
        if (into === undefined) return { value, end: this.#at, elementStarts: this.#elementStarts };
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
    if (open.length === 2 && keys[0] === this.#options.startsOf && Array.isArray(open[1])) {
      this.#elementStarts.push(this.#at);
    }
    const character = this.#text[this.#at];
    if (character !== '[' && character !== '{') return this.#scalar();
    if (open.length >= deepest) throw new JsonError('exceeded max depth', this.#at);
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
    if (this.#options.uniqueKeys === true && Object.hasOwn(container, key)) {
      throw new JsonError(`key ${JSON.stringify(key)} already set in map`, start);
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
    const value = numberOf(number, this.#options);
    if (value === undefined) throw new JsonError('a number beyond the range of a double', this.#at);
    this.#at += number.length;
    return value;
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
    if (quoted === undefined) throw new JsonError('invalid string', this.#at);
    this.#at += quoted.length;
    return (JSON.parse(quoted) as string).replaceAll(/\p{Surrogate}/gu, '\ufffd');
  }

  #space(): void {
    this.#at = skipJsonSpace(this.#text, this.#at);
  }
}

/** What is wrong with a text that has something else than JSON at a place. */
export function unexpected(text: string, offset: number): JsonError {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return new JsonError(
    offset >= text.length
      ? 'unexpected end of JSON input'
      : `unexpected character ${JSON.stringify(character)}`,
    offset,
  );
}
