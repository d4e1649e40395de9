import { decodeBase64 } from '../encoding/base64.ts';
import { parseFloat64 } from '../number/parse-float.ts';
import { maxInt64, minInt64 } from '../number/parse-integer.ts';
import { decodeUtf8Leniently } from '../text/utf8.ts';
import { parseTime } from '../time/parse-time.ts';

/** The value of a scalar: integers are bigints, other numbers doubles. */
export type YamlScalar = null | boolean | bigint | number | string;

/** The value of a scalar, or why it has none. */
export type ResolvedScalar = { readonly value: YamlScalar } | { readonly problem: string };

/** The prefix of YAML's own types in tags. */
const core = 'tag:yaml.org,2002:';

const words: ReadonlyMap<string, boolean | null | number> = new Map<
  string,
  boolean | null | number
>([
  ...spellings(['y', 'yes', 'true', 'on'], true),
  ...spellings(['n', 'no', 'false', 'off'], false),
  ...spellings(['null'], null),
  ['', null],
  ['~', null],
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF'].flatMap((word) => [
    [word, Number.POSITIVE_INFINITY] as const,
    [`+${word}`, Number.POSITIVE_INFINITY] as const,
    [`-${word}`, Number.NEGATIVE_INFINITY] as const,
  ]),
]);

function spellings<T>(forms: readonly string[], value: T): (readonly [string, T])[] {
  return forms.flatMap((form) =>
    [form, form[0]?.toUpperCase() + form.slice(1), form.toUpperCase()].map(
      (word) => [word, value] as const,
    ),
  );
}

/**
 * The value of a plain scalar without a tag, or of any scalar with one (in its long form), as yaml.v2 decodes it into
 * an empty interface: the words and numbers of YAML 1.1 without those to base 60, and times as strings.
 */
export function resolveScalar(text: string, tag = ''): ResolvedScalar {
  if (tag === '') return { value: resolveText(text) };
  if (tag === `${core}binary`) return decodeBinary(text);
  const wanted = tag.slice(core.length);
  if (!tag.startsWith(core) || !resolvable.has(wanted)) return { value: text };
  const value = resolveText(text);
  const found = typeName(value);
  if (wanted === found) return { value };
  if (wanted === 'timestamp' && found === 'str' && isTimestamp(text)) return { value };
  if (wanted === 'float' && typeof value === 'bigint' && value <= maxInt64) {
    return { value: Number(value) };
  }
  return { problem: `cannot decode !!${found} \`${text}\` as a !!${wanted}` };
}

/** Types other than strings whose tags decide. */
const resolvable = new Set(['bool', 'int', 'float', 'null', 'timestamp']);

const maximumUint = 2n ** 64n - 1n;
const decimalFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const integerForm = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;

function resolveText(text: string): YamlScalar {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  if (text.startsWith('.')) return floatOr(text, parseFloat64(text));
  const digits = text.replaceAll('_', '');
  const integer = parseInteger(digits);
  if (integer !== undefined) return integer;
  return decimalFloat.test(digits) ? floatOr(text, parseFloat64(digits)) : text;
}

function floatOr(text: string, value: number | string): number | string {
  return typeof value === 'number' ? value : text;
}

function parseInteger(digits: string): bigint | undefined {
  const [, sign, body = ''] = integerForm.exec(digits) ?? [];
  if (sign === undefined) return undefined;
  const isOldOctal = /^0[0-7]/.test(body);
  const magnitude = BigInt(isOldOctal ? `0o${body.slice(1)}` : body);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < minInt64 || value > maximumUint) return undefined;
  return sign !== '' && value > maxInt64 ? undefined : value;
}

function typeName(value: YamlScalar): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'str';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'number' ? 'float' : 'int';
}

const timeLayouts = [
  '2006-1-2T15:4:5.999999999Z07:00',
  '2006-1-2t15:4:5.999999999Z07:00',
  '2006-1-2 15:4:5.999999999',
  '2006-1-2',
];

/** Whether a plain text is a time to yaml.v2, which stays a string all the same. */
export function isTimestamp(text: string): boolean {
  if (!/^[0-9]{4}-/.test(text)) return false;
  return timeLayouts.some((layout) => !('error' in parseTime(layout, text)));
}

function decodeBinary(text: string): ResolvedScalar {
  const bytes = decodeBase64(text);
  return 'error' in bytes
    ? { problem: '!!binary value contains invalid base64 data' }
    : { value: decodeUtf8Leniently(bytes) };
}
