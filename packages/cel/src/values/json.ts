import { makeDouble, makeInt } from './kind.ts';
import { Double, SpecialValue, type Value } from './value.ts';

/** How {@link parseJson} reads numbers. */
export interface JsonOptions {
  /**
   * Whether a number written with a point or an exponent is a double even where its value is whole,
   * as in Kubernetes (`1.0` is a double); otherwise such a number is an int.
   */
  readonly wholeDoubles?: boolean;
}

/** A text that is no JSON. */
export class JsonError extends Error {
  /** Offset of the mistake in UTF-16 units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

const maximalDepth = 10_000;
const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

// Long digits, fractions, exponents and escaped surrogates: what `JSON.parse` would lose something of.
const lossy = /[0-9]{16}|[0-9][.eE]|-0|\\u[dD][89a-fA-F]/;

/**
 * Reads JSON as CEL values, exactly: ints beyond 2^53 are bigints, and beyond 64 bits doubles; lone
 * surrogates become U+FFFD. Throws {@link JsonError}.
 */
export function parseJson(text: string, options: JsonOptions = {}): Value {
  if (!lossy.test(text)) {
    try {
      return JSON.parse(text) as Value;
    } catch {
      // The reader below knows where the mistake is.
    }
  }
  const reader = new Reader(text, options);
  try {
    return reader.read();
  } catch (failure) {
    // Data within the limit can still be nested deeper than the stack of this runtime reaches.
    throw failure instanceof RangeError
      ? new JsonError('nested too deeply', reader.position)
      : failure;
  }
}

class Reader {
  private readonly text: string;
  private readonly wholeDoubles: boolean;
  position = 0;

  constructor(text: string, options: JsonOptions) {
    this.text = text;
    this.wholeDoubles = options.wholeDoubles ?? false;
  }

  read(): Value {
    const value = this.value(0);
    this.skipBlanks();
    if (this.position < this.text.length) {
      this.fail('unexpected text after the value');
    }
    return value;
  }

  private value(depth: number): Value {
    if (depth > maximalDepth) {
      this.fail(`nested deeper than ${maximalDepth} levels`);
    }
    this.skipBlanks();
    switch (this.text.charAt(this.position)) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return this.string();
      default:
        return this.scalar();
    }
  }

  private object(depth: number): Value {
    const object: Record<string, Value> = {};
    this.position++;
    this.skipBlanks();
    if (this.take('}')) {
      return object;
    }
    do {
      this.skipBlanks();
      if (this.text.charAt(this.position) !== '"') {
        this.fail('expected a name in quotes');
      }
      const key = this.string();
      this.skipBlanks();
      this.expect(':');
      const value = this.value(depth + 1);
      // Plain assignment of this one name would set the prototype.
      if (key === '__proto__') {
        Object.defineProperty(object, key, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      } else {
        object[key] = value;
      }
      this.skipBlanks();
    } while (this.take(','));
    this.expect('}');
    return object;
  }

  private array(depth: number): Value {
    const array: Value[] = [];
    this.position++;
    this.skipBlanks();
    if (this.take(']')) {
      return array;
    }
    do {
      array.push(this.value(depth + 1));
      this.skipBlanks();
    } while (this.take(','));
    this.expect(']');
    return array;
  }

  private string(): string {
    const token = this.match(stringToken);
    if (token === undefined) {
      this.fail('a string that does not end, or has a character that has to be escaped');
    }
    const value = JSON.parse(token) as string;
    return value.replace(/\p{Surrogate}/gu, '\ufffd');
  }

  private scalar(): Value {
    const word = this.match(wordToken);
    switch (word) {
      case 'true':
        return true;
      case 'false':
        return false;
      case 'null':
        return null;
      default:
        break;
    }
    const digits = this.match(numberToken);
    return digits === undefined ? this.fail('expected a value') : this.number(digits);
  }

  private number(digits: string): Value {
    if (!/[.eE]/.test(digits)) {
      const value = BigInt(digits);
      return value < minInt || value > maxInt ? makeDouble(Number(digits)) : makeInt(value);
    }
    const value = Number(digits);
    if (!Number.isFinite(value)) {
      this.fail('a number beyond the range of a double');
    }
    return this.wholeDoubles || !Number.isSafeInteger(value) ? makeDouble(value) : value + 0;
  }

  private match(token: RegExp): string | undefined {
    token.lastIndex = this.position;
    const found = token.exec(this.text)?.[0];
    this.position += found?.length ?? 0;
    return found;
  }

  private take(character: string): boolean {
    if (this.text.charAt(this.position) !== character) {
      return false;
    }
    this.position++;
    return true;
  }

  private expect(character: string): void {
    if (!this.take(character)) {
      this.fail(`expected \`${character}\``);
    }
  }

  private skipBlanks(): void {
    while (
      ' \t\r\n'.includes(this.text.charAt(this.position)) &&
      this.position < this.text.length
    ) {
      this.position++;
    }
  }

  private fail(message: string): never {
    throw new JsonError(message, this.position);
  }
}

const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const wordToken = /(?:true|false|null)/y;
const numberToken = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

/**
 * Writes JSON with all digits of ints; doubles as numbers.
 *
 * Throws on values that have no JSON form.
 */
export function stringifyJson(value: Value): string {
  if (typeof value === 'bigint') {
    return String(value);
  }
  if (value instanceof Double) {
    return JSON.stringify(value.value);
  }
  if (value instanceof SpecialValue || value instanceof Uint8Array) {
    throw new TypeError('the value has no JSON form');
  }
  if (Array.isArray(value)) {
    return `[${value.map(stringifyJson).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, entry]) => `${JSON.stringify(key)}:${stringifyJson(entry)}`,
    );
    return `{${entries.join(',')}}`;
  }
  return JSON.stringify(value);
}
