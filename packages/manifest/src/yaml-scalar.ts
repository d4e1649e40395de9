import type { Value } from '@kubeadmit/cel';
import { makeDouble, numberOf } from '@kubeadmit/cel/internal';
import { decodeBase64 } from '@kubeadmit/go';
import { decodeUtf8Leniently } from '@kubeadmit/go/internal';

/** A scalar as it stands in a YAML document. */
export interface Scalar {
  readonly text: string;
  /** Whether it is neither quoted nor a block. */
  readonly plain: boolean;
  /** The tag in its long form, without tag when undefined. */
  readonly tag?: string;
}

/** A key of a mapping, or the reason why it cannot be one. */
export type Key = { readonly key: string } | { readonly problem: string };

/** The value of a scalar, or the reason why it has none. */
export type Resolved = { readonly value: Value } | { readonly problem: string };

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
 * The JSON value of a scalar as kubectl reads it: YAML 1.1 words and numbers of goyaml.v2, then the
 * number that is left after the way through JSON (sigs.k8s.io/yaml), in which `1.0` becomes 1.
 */
export function resolveScalar(scalar: Scalar): Resolved {
  const { text, plain, tag } = scalar;
  if (tag === undefined && !plain) return { value: text };
  if (tag === `${core}binary`) return decodeBinary(text);
  if (tag === `${core}str` || (tag !== undefined && !isResolvable(tag))) return { value: text };
  const found = resolveText(text);
  const kind = kindOf(found);
  const wanted = tag?.slice(core.length);
  if (wanted !== undefined && wanted !== kind && !(wanted === 'float' && kind === 'int')) {
    if (wanted === 'timestamp' && kind === 'str' && isTimestamp(text)) return { value: text };
    return { problem: `cannot decode !!${kind} \`${text}\` as a !!${wanted}` };
  }
  if (typeof found !== 'number') {
    return { value: typeof found === 'object' && found !== null ? integer(found.int) : found };
  }
  if (!Number.isFinite(found)) {
    const name = Number.isNaN(found) ? 'NaN' : found > 0 ? '+Inf' : '-Inf';
    return { problem: `json: unsupported value: ${name}` };
  }
  return { value: Number.isInteger(found) ? (numberOf(plainDigits(found)) ?? found) : found };
}

/** The string that a scalar is as a key of a mapping (sigs.k8s.io/yaml). */
export function resolveKey(scalar: Scalar): Key {
  const { text, plain, tag } = scalar;
  if (tag === undefined && !plain) return { key: text };
  const found = tag === undefined ? resolveText(text) : taggedKey(scalar);
  if (typeof found === 'object' && found !== null && 'problem' in found) return found;
  if (found === null) return { problem: 'unsupported map key of type: %!s(<nil>)' };
  if (typeof found === 'string') return { key: found };
  if (typeof found === 'number') return { key: shortFloat(found) };
  if (typeof found === 'boolean') return { key: String(found) };
  if (found.int > maximumInt) return { problem: 'unsupported map key of type: uint64' };
  return { key: found.int.toString() };
}

function taggedKey(scalar: Scalar): Found | { readonly problem: string } {
  const resolved = resolveScalar(scalar);
  if ('value' in resolved) {
    return typeof resolved.value === 'string' ? resolved.value : resolveText(scalar.text);
  }
  // Infinity is not in JSON, but good as a key.
  return typeof words.get(scalar.text) === 'number' ? resolveText(scalar.text) : resolved;
}

type Found = string | boolean | null | number | { readonly int: bigint };

const maximumInt = 2n ** 63n - 1n;
const minimumInt = -(2n ** 63n);
const maximumUint = 2n ** 64n - 1n;
const decimalFloat = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const integerForm = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;

/** What goyaml.v2 makes of a plain scalar without tag; doubles are numbers, ints are wrapped. */
function resolveText(text: string): Found {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.0-9]/.test(text)) return text;
  if (text.startsWith('.')) return parseFloatText(text.replaceAll(/(?<=\d)_(?=\d)/g, '')) ?? text;
  const digits = text.replaceAll('_', '');
  const int = parseInteger(digits);
  if (int !== undefined) return { int };
  return parseFloatText(digits) ?? text;
}

function parseInteger(digits: string): bigint | undefined {
  const match = integerForm.exec(digits);
  if (match === null) return undefined;
  const [, sign = '', body = ''] = match;
  const isOldOctal = /^0[0-7]/.test(body);
  const magnitude = BigInt(isOldOctal ? `0o${body.slice(1)}` : body);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < minimumInt || value > maximumUint) return undefined;
  return sign !== '' && value > maximumInt ? undefined : value;
}

function parseFloatText(text: string): number | undefined {
  if (!decimalFloat.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

function integer(value: bigint): Value {
  if (value > maximumInt) return makeDouble(Number(value));
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** The digits that Go's encoding/json writes for an integral float: an exponent from 1e21 on. */
function plainDigits(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function kindOf(found: Found): string {
  if (found === null) return 'null';
  if (typeof found === 'string') return 'str';
  if (typeof found === 'boolean') return 'bool';
  return typeof found === 'number' ? 'float' : 'int';
}

function isResolvable(tag: string): boolean {
  return ['bool', 'int', 'float', 'null', 'timestamp'].some((name) => tag === core + name);
}

const dateForm =
  /^\d{4}-(\d{1,2})-(\d{1,2})(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2})?)?$/;

/** Whether goyaml.v2 takes the text for a timestamp, which stays a string all the same. */
/** Whether a plain text is a time to YAML 1.1. */
export function isTimestamp(text: string): boolean {
  return dateForm.test(text);
}

function decodeBinary(text: string): Resolved {
  const bytes = decodeBase64(text);
  return 'error' in bytes
    ? { problem: '!!binary value contains invalid base64 data' }
    : { value: decodeUtf8Leniently(bytes) };
}

/** A float key in the shortest form that single precision tells apart (`strconv`, 'g', 32 bits). */
function shortFloat(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (Object.is(single, -0)) return '-0';
  if (!Number.isFinite(single)) return single > 0 ? '.inf' : '-.inf';
  let precision = 1;
  while (precision < 17 && Math.fround(Number(single.toExponential(precision - 1))) !== single) {
    precision++;
  }
  const [digits = '0', power = '0'] = single.toExponential(precision - 1).split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return plainSingle(digits, exponent);
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits}e${exponent < 0 ? '-' : '+'}${size}`;
}

function plainSingle(digits: string, exponent: number): string {
  const sign = digits.startsWith('-') ? '-' : '';
  const all = digits.replace(/[-.]/g, '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${all}`;
  const whole = all.padEnd(exponent + 1, '0');
  const rest = whole.slice(exponent + 1);
  return sign + whole.slice(0, exponent + 1) + (rest === '' ? '' : `.${rest}`);
}
