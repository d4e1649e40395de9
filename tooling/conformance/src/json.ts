/** A JSON value as this tooling holds it: integers that a number cannot hold are bigints. */
export type Json = null | boolean | number | bigint | string | Json[] | { [key: string]: Json };

/** A JSON object; keys are chosen by others, so read it with {@link field}. */
export type JsonObject = { [key: string]: Json };

/** Whether a JSON value is an object and not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the own member of an object with this key, or `undefined`. */
export function field(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets a member under any key, `__proto__` included. */
export function setField(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

const LONG_NUMBER = /\d{16}/;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const SPACE = /[ \t\n\r]*/y;

/** Parses JSON without losing digits of integers; throws a SyntaxError where JSON.parse does. */
export function parseJson(text: string): Json {
  const value = JSON.parse(text) as Json;
  return LONG_NUMBER.test(text) ? new ExactReader(text).read() : value;
}

/** Reads text that JSON.parse accepted already, so that nothing here has to report mistakes. */
class ExactReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): Json {
    this.#take(SPACE);
    const value = this.#value();
    this.#take(SPACE);
    return value;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#position += found.length;
    return found;
  }

  #value(): Json {
    const first = this.#text[this.#position];
    if (first === '{') return this.#object();
    if (first === '[') return this.#list();
    if (first === '"') return JSON.parse(this.#take(STRING)) as string;
    const number = this.#take(NUMBER);
    if (number !== '') return exactNumber(number);
    const word = first === 't' ? 'true' : first === 'f' ? 'false' : 'null';
    this.#position += word.length;
    return JSON.parse(word) as Json;
  }

  #object(): JsonObject {
    const object: JsonObject = {};
    this.#position++;
    this.#take(SPACE);
    while (this.#text[this.#position] !== '}') {
      const key = JSON.parse(this.#take(STRING)) as string;
      this.#take(SPACE);
      this.#position++;
      setField(object, key, this.read());
      this.#skipComma();
    }
    this.#position++;
    return object;
  }

  #list(): Json[] {
    const list: Json[] = [];
    this.#position++;
    this.#take(SPACE);
    while (this.#text[this.#position] !== ']') {
      list.push(this.read());
      this.#skipComma();
    }
    this.#position++;
    return list;
  }

  #skipComma(): void {
    if (this.#text[this.#position] !== ',') return;
    this.#position++;
    this.#take(SPACE);
  }
}

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return /[.eE]/.test(text) || Number.isSafeInteger(value) ? value : BigInt(text);
}

const MARK = '\u0001';
const WRITTEN = /^\u0001([-+.\deE]+)\u0001$/;

/** Marks a number so that it is printed as written: for Go, `2.0` is a double and `2` an integer. */
export function written(number: string): string {
  return MARK + number + MARK;
}

/** The same JSON with numbers instead of the texts of {@link written}, for values that others print. */
export function withWrittenNumbers(json: string): string {
  return json.replace(/"\\u0001([-+.\deE]+)\\u0001"/g, '$1');
}

/** Writes a JSON value in one line, members in the order they have, but for those that are undefined. */
export function printJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return WRITTEN.exec(value)?.[1] ?? JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${printJson(member)}`);
  return `{${members.join(',')}}`;
}
