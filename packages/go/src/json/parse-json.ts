import {
  float64Numbers,
  type JsonNumbers,
  type JsonOptions,
  type JsonPrefix,
  parseWholeJson,
} from './json-reader.ts';
import { JsonError } from './syntax-error.ts';

const surrogateEscape = /\\u[dD][89a-fA-F]/;
const lonelyNumber = /^[-\d]/;

/**
 * Parses JSON as Go's `json.Unmarshal` does into an empty interface: escaped lone surrogates become U+FFFD, and
 * `__proto__` is an ordinary key.
 *
 * @throws JsonError with Go's message
 */
export function parseJson(text: string, options: JsonOptions = {}): unknown {
  const { numbers = float64Numbers, uniqueKeys = false } = options;
  if (!uniqueKeys && !isLossy(text, numbers)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // The reader below knows where the mistake is.
    }
  }
  return parseWholeJson(text, options).value;
}

function isLossy(text: string, numbers: JsonNumbers): boolean {
  // A quick search precedes the exact one.
  const hasEscapes = text.includes('\\u') && surrogateEscape.test(text);
  return hasEscapes || lonelyNumber.test(text) || numbers.lossy.test(text);
}

/** A JSON value with the paths of members that an object has twice, or Go's error message. */
export type JsonScan = Pick<JsonPrefix, 'value' | 'duplicates'> | { readonly error: string };

/** Scans JSON as a strict decoder does: repeated members are reported. */
export function scanJson(text: string, options: JsonOptions = {}): JsonScan {
  return orError(() => parseWholeJson(text, options));
}

/** A JSON value, or Go's error message. */
export type JsonReading = { readonly value: unknown } | { readonly error: string };

/** As {@link parseJson}, with the error as a value. */
export function readJson(text: string, options: JsonOptions = {}): JsonReading {
  return orError(() => ({ value: parseJson(text, options) }));
}

function orError<Result>(read: () => Result): Result | { readonly error: string } {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonError) return { error: error.message };
    throw error;
  }
}
