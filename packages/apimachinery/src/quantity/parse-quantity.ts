import type { ParseError } from '../errors/parse-error.ts';
import { fitsInt64, maxInt64, type Quantity } from './quantity.ts';
import { meaningOfSuffix, type SuffixMeaning } from './suffix.ts';

const formatError: ParseError = {
  error:
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
};
const numericError: ParseError = { error: 'unable to parse numeric part of quantity' };
const suffixError: ParseError = { error: "unable to parse quantity's suffix" };

// Each part ends where the next one cannot have begun, so that the time grows with the length alone.
const pattern =
  /^([+-]?)(0*)([1-9][0-9]*)?(?:\.([0-9]*))?([eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?$/;

/** Parses a quantity as resource.ParseQuantity of k8s.io/apimachinery. Returns a `ParseError` for an invalid string. */
export function parseQuantity(text: string): Quantity | ParseError {
  const match = pattern.exec(text);
  if (match === null || text === '') return formatError;
  if (text === '0') return { unscaled: 0n, exponent: 0, big: false, format: 'DecimalSI', text };
  const meaning = meaningOfSuffix(match[5] ?? '');
  if (meaning === undefined) return suffixError;
  const parts: Parts = {
    text,
    negative: match[1] === '-',
    zeros: match[2] ?? '',
    whole: match[3] ?? '',
    fraction: match[4] ?? '',
  };
  return parseSmall(parts, meaning) ?? parseBig(parts, meaning);
}

/** Returns the quantity in a string, or `undefined` if the string is not a quantity. */
export function quantityOf(text: string): Quantity | undefined {
  // Most strings are words, which need no closer look.
  if (text.charCodeAt(0) > 57 && text.length > 2 && !/^[eE]/.test(text)) return undefined;
  const quantity = parseQuantity(text);
  return 'error' in quantity ? undefined : quantity;
}

interface Parts {
  readonly text: string;
  readonly negative: boolean;
  readonly zeros: string;
  readonly whole: string;
  readonly fraction: string;
}

function parseSmall(parts: Parts, meaning: SuffixMeaning): Quantity | undefined {
  // The length counts without leading zeros, but an empty number counts as `0`.
  const whole = parts.whole === '' ? '0' : parts.whole;
  const { fraction } = parts;
  const shifted = whole + fraction;
  if (meaning.format === 'BinarySI') {
    const room = 15 - whole.length - Math.trunc((meaning.exponent * 3) / 10) - 1;
    const value = fraction === '' && room >= 0 ? BigInt(whole) : undefined;
    const scaled = value === undefined ? undefined : value << BigInt(meaning.exponent);
    if (value === undefined || scaled === undefined || !fitsInt64(scaled)) return undefined;
    return small(parts, { value: scaled, exponent: 0, format: 'BinarySI' }, (value & 7n) !== 0n);
  }
  const exponent = (meaning.exponent - fraction.length) | 0;
  if (shifted.length > 18 || exponent < -9) return undefined;
  const canonical = exponent % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  return small(parts, { value: BigInt(shifted), exponent, format: meaning.format }, canonical);
}

function small(
  parts: Parts,
  amount: {
    readonly value: bigint;
    readonly exponent: number;
    readonly format: Quantity['format'];
  },
  canonical: boolean,
): Quantity {
  const unscaled = parts.negative ? -amount.value : amount.value;
  const { exponent, format } = amount;
  return canonical
    ? { unscaled, exponent, big: false, format, text: parts.text }
    : { unscaled, exponent, big: false, format };
}

const finest = -9;

function parseBig(parts: Parts, meaning: SuffixMeaning): Quantity | ParseError {
  const digits = parts.zeros + parts.whole + parts.fraction;
  if (digits === '') return numericError;
  const read = BigInt(digits);
  const binary = meaning.base === 2;
  const decimals = -parts.fraction.length;
  let unscaled = binary ? read << BigInt(meaning.exponent) : read;
  let exponent = binary ? decimals : (decimals + meaning.exponent) | 0;
  if (unscaled !== 0n) {
    const rounded = roundUp(unscaled, exponent);
    if (rounded === undefined) return numericError;
    unscaled = rounded;
    exponent = finest;
  }
  let format = meaning.format;
  if (binary) {
    if (unscaled > maxInt64 * 10n ** BigInt(-exponent)) {
      unscaled = maxInt64;
      exponent = 0;
    }
    // Between 0 and 1 there is no binary form.
    if (unscaled > 0n && unscaled < 10n ** BigInt(-exponent)) format = 'DecimalSI';
  }
  return { unscaled: parts.negative ? -unscaled : unscaled, exponent, big: true, format };
}

// A number with more digits is refused; kube-apiserver would run out of time or memory.
const mostDigits = 1_000_000;

/** Gives `unscaled × 10^exponent` in units of 10^-9, rounded up. */
function roundUp(unscaled: bigint, exponent: number): bigint | undefined {
  const shift = exponent - finest;
  if (shift >= 0) return shift > mostDigits ? undefined : unscaled * 10n ** BigInt(shift);
  if (-shift > unscaled.toString().length) return 1n;
  const divisor = 10n ** BigInt(-shift);
  return unscaled / divisor + (unscaled % divisor === 0n ? 0n : 1n);
}
