import {
  decodeUtf8Leniently,
  durationSeconds,
  formatFloat64Fixed,
  formatFloat64Plain,
  formatFloat64Scientific,
  formatRfc3339,
} from '@kubeadmit/go';
import { doubleValue, isList, isMap, typeOf } from '../values/kind.ts';
import type { TypeKind } from '../values/types.ts';
import { Duration, Timestamp, TypeValue, type Value } from '../values/value.ts';
import {
  ArgumentProblem,
  type FormatClause,
  type FormatVerb,
  formatBits,
  formatEntries,
  integerOf,
} from './format-verbs.ts';

/** The texts for values of a wrong type, by verb; the name of the type follows. */
export const newestWrongTypeTexts: Readonly<Record<FormatVerb, string>> = {
  b: 'only ints, uints, and bools can be formatted as binary, was given ',
  d: 'decimal clause can only be used on ints, uints, and doubles, was given ',
  e: 'scientific clause can only be used on ints, uints, and doubles, was given ',
  f: 'fixed-point clause can only be used on ints, uints, and doubles, was given ',
  o: 'octal clause can only be used on ints and uints, was given ',
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ',
  x: 'only ints, uints, bytes, and strings can be formatted as hex, was given ',
  X: 'only ints, uints, bytes, and strings can be formatted as hex, was given ',
};

const numbers: ReadonlySet<TypeKind> = new Set(['int', 'uint', 'double']);

/** The types that a verb takes, for those that take others than in version 3. */
export const newestAcceptedTypes: Readonly<Partial<Record<FormatVerb, ReadonlySet<TypeKind>>>> = {
  d: numbers,
  e: numbers,
  f: numbers,
};

/**
 * Formats a value by a clause of `format()` (cel-go's `ext.Strings`, version 4 and above).
 *
 * @throws ArgumentProblem for a value that the clause does not take
 */
export function newestFormatByClause(value: Value, { verb, precision = 6 }: FormatClause): string {
  switch (verb) {
    case 's':
      return formatAsString(value);
    case 'd':
    case 'e':
    case 'f':
      return formatNumber(value, verb, precision) ?? refuse(verb, value);
    default:
      return formatBits(value, verb) ?? refuse(verb, value);
  }
}

function refuse(verb: FormatVerb, value: Value): never {
  throw new ArgumentProblem(newestWrongTypeTexts[verb] + typeOf(value).name);
}

function formatNumber(value: Value, verb: 'd' | 'e' | 'f', precision: number): string | undefined {
  const integer = integerOf(value);
  if (integer !== undefined && verb === 'd') return String(integer);
  const number = integer === undefined ? doubleValue(value) : Number(integer);
  if (number === undefined) return undefined;
  if (verb === 'd' || !Number.isFinite(number)) return doubleText(number);
  return verb === 'f'
    ? formatFloat64Fixed(number, precision)
    : formatFloat64Scientific(number, precision);
}

function doubleText(value: number): string {
  return Number.isFinite(value) ? formatFloat64Plain(value) : String(value);
}

/** Formats a value as `%s` does, elements of lists and maps in the same way. */
function formatAsString(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  const integer = integerOf(value);
  if (integer !== undefined) return String(integer);
  const double = doubleValue(value);
  if (double !== undefined) return doubleText(double);
  if (value instanceof Uint8Array) return decodeUtf8Leniently(value);
  if (value instanceof Duration) return `${doubleText(durationSeconds(value.nanoseconds))}s`;
  if (value instanceof Timestamp) return formatRfc3339({ ...value, offset: 0 });
  if (value instanceof TypeValue) return value.named.name;
  if (isList(value)) return `[${value.map(formatAsString).join(', ')}]`;
  if (isMap(value)) return formatEntries(value, formatAsString, ': ', formatAsString);
  return refuse('s', value);
}
