import { setKey } from '@kubeadmit/base';
import { quote } from '../quote/quote.ts';
import { JsonError, scalarError, stringError, syntaxError } from './syntax-error.ts';

/** How numbers of a JSON text are represented. */
export interface JsonNumbers {
  /** The value of a number; undefined where it is out of range. */
  readonly parse: (text: string) => unknown;
  /**
   * Finds in a JSON text, perhaps too often, a number that `JSON.parse` reads as something else. A number with which
   * the text begins need not be found.
   */
  readonly lossy: RegExp;
}

/** How JSON is read. */
export interface JsonOptions {
  /** Doubles, as Go decodes into an empty interface, where nothing else is said. */
  readonly numbers?: JsonNumbers;
  /** Whether a name that occurs twice in one object is an error; otherwise the last one wins. */
  readonly uniqueKeys?: boolean;
  /** The member of the outermost object whose elements' offsets are returned. */
  readonly startsOf?: string;
  /** How deep values may be nested; default 10,000, as for Go's encoding/json. */
  readonly deepest?: number;
}

/** A JSON value and where it ended in the text. */
export interface JsonPrefix {
  readonly value: unknown;
  readonly end: number;
  /** Where the elements begin of the list that `startsOf` names. */
  readonly elementStarts: readonly number[];
  /** The paths of members that an object has twice, such as `spec.rules[0].name`. */
  readonly duplicates: readonly string[];
}

/** Numbers as Go decodes them into an empty interface: doubles. */
export const float64Numbers: JsonNumbers = {
  parse: (text) => {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  },
  lossy: /[eE]\+?\d{3}|\d{300}/,
};

/** Go's encoding/json refuses deeper nesting. */
const goDeepest = 10_000;

/**
 * Reads the JSON value that begins at `start`, and says where it ends. Throws {@link JsonError} with Go's text when
 * none begins there, or a number is out of range.
 */
export function parseJsonPrefix(
  text: string,
  start: number,
  options: JsonOptions = {},
): JsonPrefix {
  const reader = new JsonReader(text, start, options);
  const prefix = reader.read();
  if (reader.overflow !== undefined) throw reader.overflow;
  return prefix;
}

/** As {@link parseJsonPrefix}, of a text that is one value and nothing else. */
export function parseWholeJson(text: string, options: JsonOptions = {}): JsonPrefix {
  const reader = new JsonReader(text, 0, options);
  const prefix = reader.read();
  const rest = skipJsonSpace(text, prefix.end);
  if (rest < text.length) throw syntaxError(text, rest, 'after top-level value');
  if (reader.overflow !== undefined) throw reader.overflow;
  return prefix;
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

type Container = unknown[] | Record<string, unknown>;

const literals: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

// A part that follows without its digits is a mistake in the number; after an exponent nothing belongs to it.
const numberAt = /-?(?:0|[1-9]\d*)(?:\.\d+|(?=(\.))|)(?:[eE][-+]?\d+|(?=([eE]))|)/y;
const plainStringAt = /"([^"\\\u0000-\u001f]*)"/y;
const stringAt =
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;

/** A reader with an explicit stack, so that deep nesting does not use the call stack. */
class JsonReader {
  /** The first number that is out of range, of which Go speaks only when all is read. */
  overflow: JsonError | undefined;
  readonly #text: string;
  readonly #options: JsonOptions;
  readonly #elementStarts: number[] = [];
  readonly #duplicates: string[] = [];
  readonly #open: Container[] = [];
  readonly #keys: string[] = [];
  #at: number;

  constructor(text: string, start: number, options: JsonOptions) {
    this.#text = text;
    this.#at = start;
    this.#options = options;
  }

  read(): JsonPrefix {
    for (;;) {
      let value = this.#startValue();
      if (value === undefined) continue;
      for (;;) {
        const into = this.#open.at(-1);
        if (into === undefined) return this.#prefix(value);
        if (Array.isArray(into)) into.push(value);
        else setKey(into, this.#keys.pop() ?? '', value);
        if (this.#hasNext(into)) break;
        this.#open.pop();
        value = into;
      }
    }
  }

  #prefix(value: unknown): JsonPrefix {
    const [elementStarts, duplicates] = [this.#elementStarts, this.#duplicates];
    return { value, end: this.#at, elementStarts, duplicates };
  }

  /** A complete value, or `undefined` after opening a container that has an element. */
  #startValue(): unknown {
    this.#space();
    const open = this.#open;
    if (open.length === 2 && this.#keys[0] === this.#options.startsOf && Array.isArray(open[1])) {
      this.#elementStarts.push(this.#at);
    }
    const character = this.#text[this.#at];
    if (character !== '[' && character !== '{') return this.#scalar();
    if (open.length >= (this.#options.deepest ?? goDeepest)) {
      throw new JsonError('exceeded max depth', this.#at);
    }
    const container: Container = character === '[' ? [] : {};
    this.#at++;
    this.#space();
    if (this.#text[this.#at] === (character === '[' ? ']' : '}')) {
      this.#at++;
      return container;
    }
    open.push(container);
    if (!Array.isArray(container)) this.#keys.push(this.#key(container));
    return undefined;
  }

  /** Whether another element of the container follows; its key is then on the stack. */
  #hasNext(container: Container): boolean {
    this.#space();
    const character = this.#text[this.#at];
    const isList = Array.isArray(container);
    if (character === (isList ? ']' : '}')) {
      this.#at++;
      return false;
    }
    if (character !== ',') {
      throw this.#unexpected(isList ? 'after array element' : 'after object key:value pair');
    }
    this.#at++;
    if (!isList) {
      this.#space();
      this.#keys.push(this.#key(container));
    }
    return true;
  }

  #key(container: Record<string, unknown>): string {
    const start = this.#at;
    if (this.#text[start] !== '"') {
      throw this.#unexpected('looking for beginning of object key string');
    }
    const key = this.#string();
    if (Object.hasOwn(container, key)) {
      if (this.#options.uniqueKeys === true) {
        throw new JsonError(`key ${quote(key)} already set in map`, start);
      }
      this.#duplicates.push(this.#pathOf(key));
    }
    this.#space();
    if (this.#text[this.#at] !== ':') throw this.#unexpected('after object key');
    this.#at++;
    return key;
  }

  /** The path of a member of the innermost object. */
  #pathOf(key: string): string {
    let path = '';
    let depth = 0;
    for (const container of this.#open) {
      if (Array.isArray(container)) path += `[${container.length}]`;
      else path += `${path === '' ? '' : '.'}${this.#keys[depth++] ?? key}`;
    }
    return path;
  }

  #scalar(): unknown {
    const text = this.#text;
    if (text[this.#at] === '"') return this.#string();
    for (const [word, value] of literals) {
      if (text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    numberAt.lastIndex = this.#at;
    const [number, point, exponent] = numberAt.exec(text) ?? [];
    if (number === undefined || point !== undefined || exponent !== undefined) {
      throw scalarError(text, this.#at);
    }
    const value = (this.#options.numbers ?? float64Numbers).parse(number);
    if (value === undefined) {
      const why = `json: cannot unmarshal number ${number} into Go value of type float64`;
      this.overflow ??= new JsonError(why, this.#at);
    }
    this.#at += number.length;
    return value ?? null;
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
    if (quoted === undefined) throw stringError(this.#text, this.#at);
    this.#at += quoted.length;
    return wellFormed(JSON.parse(quoted) as string);
  }

  #space(): void {
    this.#at = skipJsonSpace(this.#text, this.#at);
  }

  #unexpected(context: string): JsonError {
    return syntaxError(this.#text, this.#at, context);
  }
}

function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
