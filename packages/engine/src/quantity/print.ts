import { compareQuantities, type Quantity, quantityOfInteger } from './quantity.ts';
import { suffixText } from './suffix.ts';

/**
 * Prints a quantity in its canonical form, as Quantity.String of k8s.io/apimachinery: no decimals,
 * the largest suffix that keeps the value exact.
 */
export function printQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) {
    return quantity.text;
  }
  if (quantity.unscaled === 0n) {
    return '0';
  }
  const integer = quantity.format === 'binary' ? wholeNumber(quantity) : undefined;
  if (integer !== undefined) {
    const { number, times } = removeFactors(integer, 1024n);
    return `${number}${suffixText(times * 10, 'binary')}`;
  }
  return printDecimal(quantity, quantity.format === 'exponent' ? 'exponent' : 'decimal');
}

/** The value when it is an integer of at least 1024 in magnitude, which the binary form needs. */
function wholeNumber(quantity: Quantity): bigint | undefined {
  const edge = quantityOfInteger(quantity.unscaled < 0n ? -1024n : 1024n);
  const order = compareQuantities(quantity, edge);
  if (quantity.unscaled < 0n ? order > 0 : order < 0) {
    return undefined;
  }
  if (quantity.exponent >= 0) {
    return quantity.unscaled * 10n ** BigInt(quantity.exponent);
  }
  const divisor = 10n ** BigInt(-quantity.exponent);
  return quantity.unscaled % divisor === 0n ? quantity.unscaled / divisor : undefined;
}

function printDecimal(quantity: Quantity, format: 'decimal' | 'exponent'): string {
  const { number, times } = removeFactors(quantity.unscaled, 10n);
  const exponent = quantity.exponent + times;
  // Down to a multiple of 3, for which there are suffixes.
  const excess = ((exponent % 3) + 3) % 3;
  return `${number * 10n ** BigInt(excess)}${suffixText(exponent - excess, format)}`;
}

function removeFactors(
  value: bigint,
  factor: bigint,
): { readonly number: bigint; readonly times: number } {
  let number = value;
  let times = 0;
  while (number !== 0n && number % factor === 0n) {
    number /= factor;
    times++;
  }
  return { number, times };
}
