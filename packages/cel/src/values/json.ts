import { type JsonNumbers, parseJson as parse } from '@kubeadmit/go';
import { makeDouble } from './kind.ts';
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
}

// Numbers that `JSON.parse` would not read exactly: many digits, fractions, exponents. The lookahead excludes most
// strings that only look like numbers, such as `web:1.25`.
const lossy =
  /[:,[\s](?:-0|-?(?:\d{16,}|\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+))(?=\s*(?:[,}\]]|$))/;

const intsWherePossible: JsonNumbers = { parse: (text) => numberOf(text, {}), lossy };

/** The numbers of Kubernetes' JSON: ints are written without a point or an exponent. */
export const kubernetesNumbers: JsonNumbers = {
  parse: (text) => numberOf(text, { wholeDoubles: true }),
  lossy,
};

/**
 * Parses JSON to CEL values, exactly: ints beyond 2^53 are bigints, and beyond 64 bits doubles; lone surrogates
 * become U+FFFD.
 *
 * @throws JsonError with Go's message
 */
export function parseJson(text: string, options: JsonOptions = {}): Value {
  const { wholeDoubles = false, uniqueKeys = false } = options;
  const numbers = wholeDoubles ? kubernetesNumbers : intsWherePossible;
  return parse(text, { numbers, uniqueKeys }) as Value;
}

/**
 * Converts the text of a JSON number: an int if it fits into 64 bits, otherwise a double; `undefined` if it exceeds
 * all doubles.
 */
function numberOf(text: string, { wholeDoubles = false }: JsonOptions = {}): Value | undefined {
  const value = Number(text);
  const isWhole = /^-?\d+$/.test(text);
  if (isWhole || !wholeDoubles) {
    if (Number.isSafeInteger(value)) return value + 0;
  }
  if (isWhole) {
    const exact = BigInt(text);
    if (BigInt.asIntN(64, exact) === exact) return exact;
  }
  return Number.isFinite(value) ? makeDouble(value) : undefined;
}
