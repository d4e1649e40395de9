import { trimRight } from '@kubeadmit/go';
import { compareQuantities, type Quantity, quantityOfInteger } from './quantity.ts';
import { formatSuffix } from './suffix.ts';

/**
 * Formats a quantity in its canonical form, as Quantity.String of k8s.io/apimachinery: without decimals, with the
 * largest suffix that keeps the value exact.
 */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.unscaled === 0n) return '0';
  const integer = quantity.format === 'BinarySI' ? wholeNumber(quantity) : undefined;
  if (integer !== undefined) {
    const { number, times } = removeZeros(integer, 2, 10);
    return `${number}${formatSuffix(times * 10, 'BinarySI')}`;
  }
  return formatDecimal(
    quantity,
    quantity.format === 'DecimalExponent' ? 'DecimalExponent' : 'DecimalSI',
  );
}

/** The value when it is an integer of at least 1024 in magnitude, which the binary form needs. */
function wholeNumber(quantity: Quantity): bigint | undefined {
  const edge = quantityOfInteger(quantity.unscaled < 0n ? -1024n : 1024n);
  const order = compareQuantities(quantity, edge);
  if (quantity.unscaled < 0n ? order > 0 : order < 0) return undefined;
  if (quantity.exponent >= 0) return quantity.unscaled * 10n ** BigInt(quantity.exponent);
  const divisor = 10n ** BigInt(-quantity.exponent);
  return quantity.unscaled % divisor === 0n ? quantity.unscaled / divisor : undefined;
}

function formatDecimal(quantity: Quantity, format: 'DecimalSI' | 'DecimalExponent'): string {
  const { number, times } = removeZeros(quantity.unscaled, 10, 1);
  const exponent = quantity.exponent + times;
  // Down to a multiple of 3, for which there are suffixes.
  const excess = ((exponent % 3) + 3) % 3;
  return `${number * 10n ** BigInt(excess)}${formatSuffix(exponent - excess, format)}`;
}

/** The number without its zeros at the end, and how many groups of them there were. */
function removeZeros(
  value: bigint,
  radix: 2 | 10,
  group: number,
): { readonly number: bigint; readonly times: number } {
  // Far quicker for long numbers than dividing again and again.
  const digits = value.toString(radix);
  const times = Math.floor((digits.length - trimRight(digits, '0').length) / group);
  return { number: value / BigInt(radix) ** BigInt(times * group), times };
}
