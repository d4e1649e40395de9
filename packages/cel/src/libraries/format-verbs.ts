import {
  compareText,
  decodeUtf8,
  encodeUtf8,
  formatFloat64,
  formatFloat64Fixed,
  formatFloat64Plain,
  formatFloat64Scientific,
  formatRfc3339,
  quote,
} from '@kubeadmit/go';
import type { Expression } from '../syntax/expression.ts';
import { formatSeconds } from '../values/format-seconds.ts';
import { doubleValue, isInt, isList, isMap, typeOf } from '../values/kind.ts';
import { mapGet, mapKeys } from '../values/maps.ts';
import { Duration, Timestamp, TypeValue, Uint, type Value } from '../values/value.ts';

/** Why something cannot be formatted, in the words of cel-go. */
export class FormatProblem {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** Why an argument cannot be formatted. */
export class ArgumentProblem extends FormatProblem {
  /** The argument, where there is a tree and no value. */
  readonly at: Expression | undefined;

  constructor(reason: string, at?: Expression) {
    super(`error during formatting: ${reason}`);
    this.at = at;
  }
}

/** A clause of a format string: `%s`, `%.2f`. */
export interface FormatClause {
  /** The letter of the verb and the values it accepts. */
  readonly verb: FormatVerb;
  /** Only `%f` and `%e` look at it. */
  readonly precision: number | undefined;
}

/** The verb of a clause. */
export type FormatVerb = 'b' | 'd' | 'e' | 'f' | 'o' | 's' | 'x' | 'X';

/** The texts for values of a wrong type, by verb; the name of the type follows. */
export const wrongTypeTexts: Readonly<Record<FormatVerb, string>> = {
  b: 'only integers and bools can be formatted as binary, was given ',
  d: 'decimal clause can only be used on integers, was given ',
  e: 'scientific clause can only be used on doubles, was given ',
  f: 'fixed-point clause can only be used on doubles, was given ',
  o: 'octal clause can only be used on integers, was given ',
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given ',
  x: 'only integers, byte buffers, and strings can be formatted as hex, was given ',
  X: 'only integers, byte buffers, and strings can be formatted as hex, was given ',
};

/**
 * Formats a value by a clause of `format()` (cel-go's `ext.Strings`, version 3 and below).
 *
 * @throws ArgumentProblem for a value that the clause does not take
 */
export function formatByClause(value: Value, { verb, precision }: FormatClause): string {
  const text = textOf(value, verb, precision ?? defaultPrecision);
  if (text === undefined) throw new ArgumentProblem(wrongTypeTexts[verb] + typeOf(value).name);
  return text;
}

function textOf(value: Value, verb: FormatVerb, precision: number): string | undefined {
  switch (verb) {
    case 's':
      return formatAsString(value);
    case 'd':
      return integerOf(value)?.toString();
    case 'f':
    case 'e':
      return formatDouble(value, verb, precision);
    default:
      return formatBits(value, verb);
  }
}

const defaultPrecision = 6;

/** Formats a value in base 2, 8 or 16, in all versions; `undefined` for a value that the verb does not take. */
export function formatBits(value: Value, verb: 'b' | 'o' | 'x' | 'X'): string | undefined {
  switch (verb) {
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integerOf(value)?.toString(2);
    case 'o':
      return integerOf(value)?.toString(8);
    case 'x':
      return hexadecimal(value);
    case 'X':
      return hexadecimal(value)?.toUpperCase();
  }
}

/** The number of an int or uint; undefined for any other value. */
export function integerOf(value: Value): number | bigint | undefined {
  return isInt(value) ? value : value instanceof Uint ? value.value : undefined;
}

function hexadecimal(value: Value): string | undefined {
  const bytes = typeof value === 'string' ? encodeUtf8(value) : value;
  return bytes instanceof Uint8Array
    ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    : integerOf(value)?.toString(16);
}

const namedDoubles: ReadonlyMap<Value, number> = new Map<Value, number>([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

// The number of digits that golang.org/x/text reads: one more once the number exceeds a million, then it stops.
const longestPrecision = 10_000_009;

function formatDouble(value: Value, verb: 'e' | 'f', precision: number): string | undefined {
  const number = namedDoubles.get(value) ?? doubleValue(value);
  if (number === undefined) return undefined;
  if (precision > longestPrecision) return '%!(NOVERB)';
  // A negative zero has no sign here.
  const sign = number < 0 ? '-' : '';
  const size = Math.abs(number);
  // The precision of %e is a width to golang.org/x/text, of 16 bits.
  const width = verb === 'e' ? precision % 2 ** 16 : 0;
  if (!Number.isFinite(number)) return (Number.isNaN(number) ? 'NaN' : `${sign}∞`).padStart(width);
  return (sign + (verb === 'f' ? grouped(fixed(size, precision)) : scientific(size))).padStart(
    width,
  );
}

/** A number as golang.org/x/text writes it: its most decimals have 16 bits, its fewest only 8. */
function fixed(number: number, precision: number): string {
  const fewest = precision % 2 ** 8;
  const most = (precision << 16) >> 16;
  if (most === fewest) return formatFloat64Fixed(number, most);
  const text = most < 0 ? formatFloat64Plain(number) : formatFloat64Fixed(number, most);
  const [whole = '', decimals = ''] = text.split('.');
  const fraction = decimals.replace(/0+$/, '').padEnd(fewest, '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

function grouped(text: string): string {
  const point = text.indexOf('.');
  const whole = point < 0 ? text : text.slice(0, point);
  const first = whole.length % 3 || 3;
  return (
    whole.slice(0, first) + whole.slice(first).replace(/.{3}/g, ',$&') + text.slice(whole.length)
  );
}

const scientificDecimals = 6;

function scientific(number: number): string {
  const [mantissa = '', power = ''] = formatFloat64Scientific(number, scientificDecimals).split(
    'e',
  );
  const superscript = power
    .replace('+', '')
    .replace('-', '⁻')
    .replace(/\d/g, (digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)));
  return `${mantissa}×10${superscript}`;
}

/** Formats a value as `%s` does: texts bare, elements of lists and maps as literals. */
function formatAsString(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  const number = integerOf(value) ?? doubleValue(value);
  if (number !== undefined) {
    return isInt(value) || typeof number === 'bigint' ? String(number) : formatFloat64(number);
  }
  if (isList(value)) return `[${value.map(formatNested).join(', ')}]`;
  if (value instanceof Timestamp) return formatRfc3339(value);
  if (value instanceof Duration) return formatSeconds(value.nanoseconds);
  if (value instanceof TypeValue) return value.named.name;
  if (value instanceof Uint8Array) return decodeText(value);
  return isMap(value) ? formatEntries(value, formatKey, ':', formatNested) : undefined;
}

function decodeText(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw new ArgumentProblem(invalidUtf8);
  return text;
}

const invalidUtf8 =
  'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string';

/** Formats a map, with the entries in the order of their formatted keys. */
export function formatEntries(
  map: Parameters<typeof mapKeys>[0],
  formatKey: (key: Value) => string,
  separator: string,
  formatValue: (value: Value) => string,
): string {
  const entries = mapKeys(map).map((key) => {
    const text = formatKey(key);
    return [text, text + separator + formatValue(mapGet(map, key) ?? null)] as const;
  });
  entries.sort(([left], [right]) => compareText(left, right));
  return `{${entries.map(([, text]) => text).join(', ')}}`;
}

function formatKey(key: Value): string {
  if (typeof key === 'string') return quote(key);
  const plain = typeof key === 'boolean' ? key : integerOf(key);
  if (plain !== undefined) return String(plain);
  throw new ArgumentProblem(`no formatting function for map key of type ${typeOf(key).name}`);
}

/** Formats an element of a list or the value of a map entry. */
function formatNested(value: Value): string {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) return `b${quote(decodeText(value))}`;
  const double = doubleValue(value);
  if (double !== undefined) {
    return Number.isFinite(double)
      ? formatFloat64Fixed(double, defaultPrecision)
      : quote(formatFloat64(double));
  }
  if (value instanceof Timestamp) return `timestamp(${quote(formatRfc3339(value))})`;
  if (value instanceof Duration) return `duration(${quote(formatSeconds(value.nanoseconds))})`;
  const text = formatAsString(value);
  if (text !== undefined) return text;
  throw new ArgumentProblem(`no formatting function for ${typeOf(value).name}`);
}
