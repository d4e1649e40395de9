import { type JsonOptions, parseJsonPrefix, skipJsonSpace, unexpected } from './json-reader.ts';
import { Double, SpecialValue, type Value } from './value.ts';

// Long digits, fractions, exponents and escaped surrogates: what `JSON.parse` would lose something of. What follows tells
// numbers from most texts that look like them, such as `web:1.25`.
const lossy =
  /(?:^|[:,[\s])(?:-0|-?(?:\d{16,}|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+))(?=\s*(?:[,}\]]|$))|\\u[dD][89a-fA-F]/;

/**
 * Reads JSON as CEL values, exactly: ints beyond 2^53 are bigints, and beyond 64 bits doubles; lone
 * surrogates become U+FFFD. Throws {@link JsonError}.
 */
export function parseJson(text: string, options: JsonOptions = {}): Value {
  if (options.uniqueKeys !== true && !lossy.test(text)) {
    try {
      return JSON.parse(text) as Value;
    } catch {
      // The reader below knows where the mistake is.
    }
  }
  const { value, end } = parseJsonPrefix(text, 0, options);
  const rest = skipJsonSpace(text, end);
  if (rest < text.length) throw unexpected(text, rest);
  return value;
}

/**
 * Writes JSON with all digits of ints; doubles as numbers.
 *
 * Throws on values that have no JSON form.
 */
export function stringifyJson(value: Value): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Double) return JSON.stringify(value.value);
  if (value instanceof SpecialValue || value instanceof Uint8Array) {
    throw new TypeError('the value has no JSON form');
  }
  if (Array.isArray(value)) return `[${value.map(stringifyJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, entry]) => `${JSON.stringify(key)}:${stringifyJson(entry)}`,
    );
    return `{${entries.join(',')}}`;
  }
  return JSON.stringify(value);
}
