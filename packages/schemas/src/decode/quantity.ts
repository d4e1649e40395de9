/** The three ways in which Kubernetes writes quantities. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** A quantity as kube-apiserver holds it (apimachinery, `resource.Quantity`): value times ten to the scale. */
export interface Quantity {
  readonly value: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** The text it was read from, where the server keeps it. */
  readonly text?: string;
}

/** Texts of the three refusals of a quantity. */
const wrongFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongNumber = 'unable to parse numeric part of quantity';
const wrongSuffix = "unable to parse quantity's suffix";

const decimalSuffixes: readonly (readonly [string, number])[] = [
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
];
const binarySuffixes: readonly (readonly [string, number])[] = [
  ['Ki', 10],
  ['Mi', 20],
  ['Gi', 30],
  ['Ti', 40],
  ['Pi', 50],
  ['Ei', 60],
];
const maxInt64 = 2n ** 63n - 1n;
const maxDigits = 18;

/** Reads a quantity, or gives the server's text of refusal. */
export function parseQuantity(text: string): Quantity | string {
  if (text === '') return wrongFormat;
  if (text === '0') return { value: 0n, scale: 0, format: 'DecimalSI', text };
  const parts = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)$/.exec(text);
  if (!parts) return wrongFormat;
  const [, sign, digits = '', fraction = '', suffix = ''] = parts;
  const whole = digits === '' ? '0' : digits;
  const unit = readSuffix(suffix);
  if (!unit) return wrongSuffix;
  return (
    readSmall(text, sign === '-', whole, fraction, unit) ??
    readLarge(sign === '-', text, suffix, unit)
  );
}

interface Unit {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function readSuffix(suffix: string): Unit | undefined {
  const decimal = decimalSuffixes.find(([name]) => name === suffix);
  if (decimal) return { base: 10, exponent: decimal[1], format: 'DecimalSI' };
  const binary = binarySuffixes.find(([name]) => name === suffix);
  if (binary) return { base: 2, exponent: binary[1], format: 'BinarySI' };
  if (!/^[eE][+-]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = BigInt(suffix.slice(1).replace('+', ''));
  if (exponent > maxInt64 || exponent < -maxInt64 - 1n) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}

/** Numbers that fit into 64 bits with their unit; these keep their text when it is canonical enough. */
function readSmall(
  text: string,
  negative: boolean,
  whole: string,
  fraction: string,
  unit: Unit,
): Quantity | undefined {
  const length = whole.length + fraction.length;
  let precision = maxDigits - length;
  let scale = unit.exponent;
  let factor = 1n;
  if (unit.base === 2) {
    if (fraction !== '') return undefined;
    precision = Math.trunc(15 - whole.length - Math.trunc((unit.exponent * 3) / 10) - 1);
    scale = 0;
    factor = 1n << BigInt(unit.exponent);
  }
  scale -= fraction.length;
  if (precision < 0 || scale < -9) return undefined;
  const shifted = whole + fraction;
  const amount = BigInt(shifted);
  if (amount * factor > maxInt64) return undefined;
  const value = negative ? -amount * factor : amount * factor;
  const kept =
    unit.base === 2
      ? unit.exponent % 10 === 0 && (amount & 7n) !== 0n
      : scale % 3 === 0 && !shifted.endsWith('000') && shifted[0] !== '0';
  return { value, scale, format: unit.format, ...(kept ? { text } : {}) };
}

function readLarge(negative: boolean, text: string, suffix: string, unit: Unit): Quantity | string {
  const number = text.slice(0, text.length - suffix.length).replace(/^[+-]/, '');
  const [whole = '', fraction = ''] = number.split('.');
  if (whole + fraction === '') return wrongNumber;
  let value = BigInt(whole + fraction);
  let scale = -fraction.length;
  if (unit.base === 10) scale += unit.exponent;
  else value <<= BigInt(unit.exponent);
  ({ value, scale } = roundUp(value, scale, -9));
  let { format } = unit;
  if (format === 'BinarySI') {
    if (compareTo(value, scale, maxInt64) > 0) [value, scale] = [maxInt64, 0];
    if (value > 0n && compareTo(value, scale, 1n) < 0) format = 'DecimalSI';
  }
  return { value: negative ? -value : value, scale, format };
}

/** The value with at most the digits of the scale, rounded away from zero. */
function roundUp(value: bigint, scale: number, to: number): { value: bigint; scale: number } {
  if (scale >= to || value === 0n) return { value, scale };
  if (to - scale > String(value).length) return { value: value > 0n ? 1n : -1n, scale: to };
  const divisor = 10n ** BigInt(to - scale);
  const rest = value % divisor;
  const whole = value / divisor;
  if (rest === 0n) return { value: whole, scale: to };
  return { value: whole + (value > 0n ? 1n : -1n), scale: to };
}

function compareTo(value: bigint, scale: number, limit: bigint): number {
  const [left, right] =
    scale >= 0 ? [value * 10n ** BigInt(scale), limit] : [value, limit * 10n ** BigInt(-scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The quantity rounded up to thousandths, as the server does with every list of resources. */
export function roundUpToMilli(quantity: Quantity): Quantity {
  if (quantity.scale >= -3) return quantity;
  return { ...roundUp(quantity.value, quantity.scale, -3), format: quantity.format };
}

/** The sum; it is written like the first that is not zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  if (Math.abs(left.scale - right.scale) > maxScaleDistance) {
    return left.scale > right.scale ? left : right;
  }
  const scale = Math.min(left.scale, right.scale);
  const value = atScale(left, scale) + atScale(right, scale);
  return { value, scale, format: left.value === 0n ? right.format : left.format };
}

/** Below, at or above 0 when the first is less than, equal to or more than the second. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  if (Math.abs(left.scale - right.scale) > maxScaleDistance) return left.scale - right.scale;
  const scale = Math.min(left.scale, right.scale);
  const difference = atScale(left, scale) - atScale(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Quantities so far apart that the smaller does not count; adding their digits would take too long. */
const maxScaleDistance = 10_000;

function atScale({ value, scale }: Quantity, to: number): bigint {
  return value * 10n ** BigInt(scale - to);
}

/** The text that the server writes for a quantity. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  const { value, scale } = quantity;
  if (value === 0n) return '0';
  if (quantity.format === 'BinarySI' && isBinary(value, scale)) {
    let amount = roundUp(value, scale, 0).value * 10n ** BigInt(Math.max(scale, 0));
    let exponent = 0;
    for (; amount % 1024n === 0n; exponent += 10) amount /= 1024n;
    return amount + suffixOf(binarySuffixes, exponent);
  }
  let amount = String(value).replace(/0+$/, '');
  let exponent = scale + String(value).length - amount.length;
  for (; exponent % 3 !== 0; exponent--) amount += '0';
  if (quantity.format === 'DecimalExponent')
    return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return amount + suffixOf(decimalSuffixes, exponent);
}

/** Small and fractional values are written in decimal. */
function isBinary(value: bigint, scale: number): boolean {
  if (compareTo(value, scale, -1024n) > 0 && compareTo(value, scale, 1024n) < 0) return false;
  return scale >= 0 || value % 10n ** BigInt(-scale) === 0n;
}

function suffixOf(table: readonly (readonly [string, number])[], exponent: number): string {
  return table.find(([, power]) => power === exponent)?.[0] ?? '';
}
