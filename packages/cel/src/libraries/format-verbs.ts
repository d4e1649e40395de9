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
} from '@kubeadmit/go/internal';
import { formatSeconds } from '../values/format-seconds.ts';
import { doubleValue, isInt, isList, isMap, typeOf } from '../values/kind.ts';
import { mapGet, mapKeys } from '../values/maps.ts';
import { Duration, Timestamp, TypeValue, Uint, type Value } from '../values/value.ts';

/** Why a value cannot be formatted. */
export class FormatProblem {
  /** What is wrong, in the words of cel-go. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** A clause of a format string: `%s`, `%.2f`. */
export interface FormatClause {
  /** The letter and what it takes. */
  readonly verb: FormatVerb;
  /** Only `%f` and `%e` look at it. */
  readonly precision: number | undefined;
}

/** What a clause makes of a value. */
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

function wrongType(verb: FormatVerb, value: Value): FormatProblem {
  return new FormatProblem(wrongTypeTexts[verb] + typeOf(value).name);
}

/** Formats a value by a clause of `format()` (cel-go's `ext.Strings`, version 3 and below). */
export function formatByClause(
  value: Value,
  { verb, precision }: FormatClause,
): string | FormatProblem {
  switch (verb) {
    case 's':
      return formatAsString(value);
    case 'd':
      return integerOf(value)?.toString() ?? wrongType(verb, value);
    case 'f':
    case 'e':
      return formatDouble(value, verb, precision ?? defaultPrecision);
    case 'b':
      return typeof value === 'boolean'
        ? String(Number(value))
        : (integerOf(value)?.toString(2) ?? wrongType(verb, value));
    case 'o':
      return integerOf(value)?.toString(8) ?? wrongType(verb, value);
    default: {
      const text = hexadecimal(value);
      if (text === undefined) return wrongType(verb, value);
      return verb === 'X' ? text.toUpperCase() : text;
    }
  }
}

const defaultPrecision = 6;

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

// What golang.org/x/text reads of a number: one digit more once it is beyond a million, and it gives up.
const longestPrecision = 10_000_009;

function formatDouble(value: Value, verb: 'e' | 'f', precision: number): string | FormatProblem {
  const number = namedDoubles.get(value) ?? doubleValue(value);
  if (number === undefined) return wrongType(verb, value);
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
function formatAsString(value: Value): string | FormatProblem {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  const number = integerOf(value) ?? doubleValue(value);
  if (number !== undefined) {
    return isInt(value) || typeof number === 'bigint' ? String(number) : formatFloat64(number);
  }
  if (isList(value)) return formatList(value);
  if (value instanceof Timestamp) return formatRfc3339(value);
  if (value instanceof Duration) return formatSeconds(value.nanoseconds);
  if (value instanceof TypeValue) return value.named.name;
  if (value instanceof Uint8Array) return decodeUtf8(value) ?? new FormatProblem(invalidUtf8);
  return isMap(value) ? formatMap(value) : wrongType('s', value);
}

const invalidUtf8 =
  'could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string';

function formatList(list: readonly Value[]): string | FormatProblem {
  const parts: string[] = [];
  for (const element of list) {
    const part = formatNested(element);
    if (part instanceof FormatProblem) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
}

function formatMap(map: Extract<Value, object>): string | FormatProblem {
  if (!isMap(map)) return wrongType('s', map);
  const entries: (readonly [key: string, value: string])[] = [];
  for (const key of mapKeys(map)) {
    const keyText = formatKey(key);
    if (keyText instanceof FormatProblem) return keyText;
    const value = formatNested(mapGet(map, key) ?? null);
    if (value instanceof FormatProblem) return value;
    entries.push([keyText, value]);
  }
  const sorted = entries.sort(([left], [right]) => compareText(left, right));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}

function formatKey(key: Value): string | FormatProblem {
  if (typeof key === 'string') return quote(key);
  const plain = typeof key === 'boolean' ? key : integerOf(key);
  return plain === undefined
    ? new FormatProblem(`no formatting function for map key of type ${typeOf(key).name}`)
    : String(plain);
}

/** Formats an element of a list or the value of a map entry. */
function formatNested(value: Value): string | FormatProblem {
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) {
    const text = decodeUtf8(value);
    return text === undefined ? new FormatProblem(invalidUtf8) : `b${quote(text)}`;
  }
  const double = doubleValue(value);
  if (double !== undefined) {
    return Number.isFinite(double)
      ? formatFloat64Fixed(double, defaultPrecision)
      : quote(formatFloat64(double));
  }
  if (value instanceof Timestamp) return `timestamp(${quote(formatRfc3339(value))})`;
  if (value instanceof Duration) return `duration(${quote(formatSeconds(value.nanoseconds))})`;
  const text = formatAsString(value);
  return text instanceof FormatProblem && text.message.startsWith(wrongTypeTexts.s)
    ? new FormatProblem(`no formatting function for ${typeOf(value).name}`)
    : text;
}
