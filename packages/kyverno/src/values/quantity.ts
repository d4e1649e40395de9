/** How a quantity is written: with decimal suffixes, binary suffixes or exponents. */
export type QuantityFormat = 'decimal' | 'binary' | 'exponent';

/**
 * A Kubernetes quantity: `unscaled` divided by ten to the power of `scale`.
 *
 * The pair is kept as Kubernetes keeps it, since its conversion to a double depends on it.
 */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
}

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const suffixes: ReadonlyMap<string, Suffix> = new Map<string, Suffix>([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((name, at): [string, Suffix] => [
    name,
    { base: 10, exponent: 3 * at - 9, format: 'decimal' },
  ]),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((name, at): [string, Suffix] => [
    name,
    { base: 2, exponent: 10 * (at + 1), format: 'binary' },
  ]),
]);

const decimalSuffixes = new Map(
  [...suffixes].filter(([, at]) => at.base === 10).map(([name, at]) => [at.exponent, name]),
);
const binarySuffixes = new Map(
  [...suffixes].filter(([, at]) => at.base === 2).map(([name, at]) => [at.exponent, name]),
);
const quantityText = /^[+-]?0*(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[+-]?\d*)$/;
const largest = 2n ** 63n - 1n;
const nanoScale = 9;
const int64Digits = 18;

/** Reads a quantity as Kubernetes does (`resource.ParseQuantity`), or undefined where it would not. */
export function parseQuantity(text: string): Quantity | undefined {
  if (text === '' || (text.charCodeAt(0) > 57 && text.length > 2 && !/^[eE]/.test(text)))
    return undefined;
  if (/^[+-]?0*$/.test(text)) return { unscaled: 0n, scale: 0, format: 'decimal' };
  const match = quantityText.exec(text);
  if (match === null) return undefined;
  const whole = match[1] || '0';
  const fraction = match[2] ?? '';
  const suffix = readSuffix(match[3] ?? '');
  if (suffix === undefined) return undefined;
  const negative = text.startsWith('-');
  const digits = BigInt(whole + fraction);
  const short = shortForm(digits, whole.length, fraction.length, suffix);
  if (short !== undefined) return negative ? { ...short, unscaled: -short.unscaled } : short;
  const hasDigits = /\d/.test(text.slice(0, text.length - (match[3] ?? '').length));
  if (!hasDigits) return undefined;
  const long = longForm(digits, fraction.length, suffix);
  return negative ? { ...long, unscaled: -long.unscaled } : long;
}

function readSuffix(text: string): Suffix | undefined {
  const known = suffixes.get(text);
  if (known !== undefined) return known;
  if (!/^[eE][+-]?\d+$/.test(text)) return undefined;
  const exponent = BigInt(text.slice(text[1] === '+' ? 2 : 1));
  if (exponent !== BigInt.asIntN(64, exponent)) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'exponent' };
}

/** The form that Kubernetes keeps in 64 bits, where it applies. */
function shortForm(
  digits: bigint,
  wholeLength: number,
  fractionLength: number,
  { base, exponent, format }: Suffix,
): Quantity | undefined {
  const decimal = base === 10;
  if (!decimal && fractionLength > 0) return undefined;
  const precision = decimal
    ? int64Digits - wholeLength - fractionLength
    : 15 - wholeLength - Math.trunc((exponent * 3) / 10) - 1;
  const scale = decimal ? exponent - fractionLength : 0;
  if (precision < 0 || scale < -nanoScale) return undefined;
  return { unscaled: decimal ? digits : digits << BigInt(exponent), scale: -scale, format };
}

function longForm(digits: bigint, fractionLength: number, suffix: Suffix): Quantity {
  let unscaled = digits;
  let scale = fractionLength;
  if (suffix.base === 10) scale -= suffix.exponent;
  else unscaled <<= BigInt(suffix.exponent);
  if (unscaled !== 0n) {
    unscaled = roundAwayFromZero(unscaled, scale, nanoScale);
    scale = nanoScale;
  }
  const unit = 10n ** BigInt(Math.max(scale, 0));
  if (suffix.format === 'binary' && unscaled > largest * unit) {
    return { unscaled: largest, scale: 0, format: 'binary' };
  }
  const fractional = suffix.format === 'binary' && unscaled > 0n && unscaled < unit;
  return { unscaled, scale, format: fractional ? 'decimal' : suffix.format };
}

function roundAwayFromZero(unscaled: bigint, from: number, to: number): bigint {
  if (to >= from) return unscaled * 10n ** BigInt(Math.min(to - from, 4000));
  if (from - to > String(unscaled).length) return unscaled < 0n ? -1n : 1n;
  const divisor = 10n ** BigInt(from - to);
  const quotient = unscaled / divisor;
  if (unscaled % divisor === 0n) return quotient;
  return unscaled < 0n ? quotient - 1n : quotient + 1n;
}

/** How two quantities compare: negative, zero or positive. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  const signs = sign(left.unscaled) - sign(right.unscaled);
  if (signs !== 0 || left.unscaled === 0n) return signs;
  const sizes = magnitude(left) - magnitude(right);
  if (sizes !== 0) return left.unscaled > 0n ? sizes : -sizes;
  const [a, b] = aligned(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether two quantities can be added and their sum written without a number of unreasonable length. */
export function areCommensurable(left: Quantity, right: Quantity): boolean {
  return Math.abs(left.scale - right.scale) < 4000;
}

/** The sum of two quantities, in the left one's format unless that is zero. */
export function addQuantities(left: Quantity, right: Quantity): Quantity {
  const [a, b] = aligned(left, right);
  return {
    unscaled: a + b,
    scale: Math.max(left.scale, right.scale),
    format: formatOfSum(left, right),
  };
}

/** The difference of two quantities, in the left one's format unless that is zero. */
export function subtractQuantities(left: Quantity, right: Quantity): Quantity {
  return addQuantities(left, { ...right, unscaled: -right.unscaled });
}

/** The product of a quantity and a number given as a quantity, in the former's format. */
export function multiplyQuantity(left: Quantity, factor: Quantity): Quantity {
  return {
    unscaled: left.unscaled * factor.unscaled,
    scale: left.scale + factor.scale,
    format: left.format,
  };
}

/** The quotient of a quantity and a number given as a quantity, rounded down to the larger scale of the two. */
export function divideQuantity(left: Quantity, divisor: Quantity): Quantity {
  const scale = Math.max(left.scale, divisor.scale);
  const shift = scale - left.scale + divisor.scale;
  const unscaled =
    shift >= 0
      ? (left.unscaled * 10n ** BigInt(shift)) / divisor.unscaled
      : left.unscaled / (divisor.unscaled * 10n ** BigInt(-shift));
  return { unscaled, scale, format: left.format };
}

/** The double nearest to a quantity, with the rounding steps of `AsApproximateFloat64`. */
export function toApproximateNumber({ unscaled, scale }: Quantity): number {
  return scale === 0 ? Number(unscaled) : Number(unscaled) * Number(`1e${-scale}`);
}

/** A quantity in canonical form: `1536Mi`, `1750m`, `12e3`. */
export function formatQuantity(quantity: Quantity): string {
  const { unscaled, scale } = quantity;
  if (unscaled === 0n) return '0';
  if (quantity.format !== 'binary' || isSmall(quantity) || !isWhole(quantity)) {
    return formatDecimal(unscaled, scale, quantity.format === 'exponent');
  }
  let amount = scale >= 0 ? unscaled / 10n ** BigInt(scale) : unscaled * 10n ** BigInt(-scale);
  let exponent = 0;
  while (amount % 1024n === 0n) {
    amount /= 1024n;
    exponent += 10;
  }
  return `${amount}${binarySuffixes.get(exponent) ?? ''}`;
}

function formatDecimal(unscaled: bigint, scale: number, withExponent: boolean): string {
  let amount = unscaled;
  let exponent = -scale;
  while (amount % 10n === 0n) {
    amount /= 10n;
    exponent++;
  }
  while (exponent % 3 !== 0) {
    amount *= 10n;
    exponent--;
  }
  if (withExponent) return exponent === 0 ? String(amount) : `${amount}e${exponent}`;
  return `${amount}${decimalSuffixes.get(exponent) ?? ''}`;
}

function isSmall({ unscaled, scale }: Quantity): boolean {
  if (scale <= 0) return absolute(unscaled) * 10n ** BigInt(-scale) < 1024n;
  return absolute(unscaled) < 1024n * 10n ** BigInt(scale);
}

function isWhole({ unscaled, scale }: Quantity): boolean {
  return scale <= 0 || unscaled % 10n ** BigInt(scale) === 0n;
}

function formatOfSum(left: Quantity, right: Quantity): QuantityFormat {
  return left.unscaled === 0n ? right.format : left.format;
}

function aligned(left: Quantity, right: Quantity): [bigint, bigint] {
  const scale = Math.max(left.scale, right.scale);
  return [
    left.unscaled * 10n ** BigInt(scale - left.scale),
    right.unscaled * 10n ** BigInt(scale - right.scale),
  ];
}

function magnitude({ unscaled, scale }: Quantity): number {
  return String(absolute(unscaled)).length - scale;
}

function sign(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
