import { type Expected, requireArgument } from '@kubeadmit/base';

/** How a quantity is written: `12Mi`, `12M` or `12e6` (apimachinery `resource.Format`). */
export type QuantityFormat = 'BinarySI' | 'DecimalSI' | 'DecimalExponent';

/**
 * A quantity of a resource, `unscaled × 10^exponent` (apimachinery `resource.Quantity`).
 *
 * `big` distinguishes the two forms of k8s.io/apimachinery, which `isInteger` makes visible: the small
 * form is a 64-bit integer, the big one a decimal number of any length. `text` is the original string
 * if it is the canonical one.
 */
export interface Quantity {
  /** The digits, with their sign. */
  readonly unscaled: bigint;
  /** The power of ten that the digits are multiplied with. */
  readonly exponent: number;
  /** Whether it is the big form of apimachinery: a decimal number of any length. */
  readonly big: boolean;
  /** How it is written. */
  readonly format: QuantityFormat;
  /** How it was written, where that is its canonical form. */
  readonly text?: string;
}

const minInt64 = -(2n ** 63n);
/** The greatest integer of 64 bits. */
export const maxInt64: bigint = 2n ** 63n - 1n;

/** Whether the number fits into 64 bits with a sign. */
export function fitsInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

/** The quantity of an integer, as `add(int)` and `sub(int)` use it. */
export function quantityOfInteger(value: bigint): Quantity {
  return { unscaled: value, exponent: 0, big: false, format: 'DecimalExponent' };
}

/** -1, 0 or 1. */
export function signOfQuantity(quantity: Quantity): number {
  return quantity.unscaled === 0n ? 0 : quantity.unscaled > 0n ? 1 : -1;
}

/** `value × 10^scale` when it fits into 64 bits; else `undefined`. `scale` is not negative. */
export function scaleUp(value: bigint, scale: number): bigint | undefined {
  if (value === 0n) return 0n;
  // 10^19 is beyond 64 bits.
  const scaled = scale > 18 ? undefined : value * 10n ** BigInt(scale);
  return scaled !== undefined && fitsInt64(scaled) ? scaled : undefined;
}

/** The value as a 64-bit integer; `undefined` when it is in the big form, has decimals or is too large. */
export function integerOfQuantity(quantity: Quantity): bigint | undefined {
  if (quantity.big || quantity.exponent < 0) return undefined;
  return scaleUp(quantity.unscaled, quantity.exponent);
}

/** The value as a double, computed as Quantity.AsApproximateFloat64. */
export function approximateQuantity(quantity: Quantity): number {
  const base = Number(quantity.unscaled);
  return quantity.exponent === 0 ? base : base * powerOfTen(quantity.exponent);
}

// As Go's math.Pow10, which multiplies two entries of tables and so rounds twice.
function powerOfTen(exponent: number): number {
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  if (exponent < -323) return 0;
  const steps = Math.trunc(Math.abs(exponent) / 32) * 32;
  const rest = Number(`1e${Math.abs(exponent) % 32}`);
  return exponent >= 0 ? Number(`1e${steps}`) * rest : Number(`1e-${steps}`) / rest;
}

// Beyond this, numbers are compared by their magnitude and not written out.
const longestAlignment = 4096;

const parsedQuantity: Expected = { what: 'a quantity that `parseQuantity` gave', has: 'unscaled' };

/** Compares the exact values: -1, 0 or 1. */
export function compareQuantities(left: Quantity, right: Quantity): number {
  requireArgument('compareQuantities', left, parsedQuantity);
  requireArgument('compareQuantities', right, parsedQuantity);
  const sign = signOfQuantity(left);
  if (sign !== signOfQuantity(right)) return sign < signOfQuantity(right) ? -1 : 1;
  if (sign === 0) return 0;
  const difference = left.exponent - right.exponent;
  if (Math.abs(difference) > longestAlignment) {
    return magnitude(left) < magnitude(right) ? -sign : sign;
  }
  const a = difference > 0 ? left.unscaled * 10n ** BigInt(difference) : left.unscaled;
  const b = difference < 0 ? right.unscaled * 10n ** BigInt(-difference) : right.unscaled;
  return a === b ? 0 : a < b ? -1 : 1;
}

function magnitude(quantity: Quantity): number {
  return quantity.unscaled.toString().length + quantity.exponent;
}

/** The same value in the big form. */
export function bigQuantity(quantity: Quantity): Quantity {
  return quantity.big ? quantity : { ...quantity, big: true };
}
