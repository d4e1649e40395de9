import { describeValue, hasMembers, requireText } from '@kubeadmit/go/internal';
import type { ParseError } from '../parse-error.ts';
import * as arithmetic from '../quantity/arithmetic.ts';
import * as writing from '../quantity/format-quantity.ts';
import * as reading from '../quantity/parse-quantity.ts';
import * as order from '../quantity/quantity.ts';

type Quantity = order.Quantity;

/**
 * Parses a quantity as resource.ParseQuantity of k8s.io/apimachinery. Returns a `ParseError` for an invalid string.
 *
 * @throws TypeError if `text` is not a string
 */
export function parseQuantity(text: string): Quantity | ParseError {
  requireText('parseQuantity', text);
  return reading.parseQuantity(text);
}

/**
 * Formats a quantity in its canonical form, as Quantity.String of k8s.io/apimachinery: without decimals, with the
 * largest suffix that keeps the value exact.
 *
 * @throws TypeError if `quantity` is not a quantity
 */
export function formatQuantity(quantity: Quantity): string {
  requireQuantity('formatQuantity', quantity);
  return writing.formatQuantity(quantity);
}

/**
 * Compares the exact values: -1, 0 or 1.
 *
 * @throws TypeError if an argument is not a quantity
 */
export function compareQuantities(left: Quantity, right: Quantity): number {
  requireQuantity('compareQuantities', left);
  requireQuantity('compareQuantities', right);
  return order.compareQuantities(left, right);
}

/**
 * Adds two quantities as Quantity.Add: in the format of the first one unless it is zero, in the small form if it
 * fits.
 *
 * Returns `undefined` if the sum would have over 100,000 digits (kube-apiserver has no such limit and runs out of
 * time or memory).
 *
 * @throws TypeError if an argument is not a quantity
 */
export function addQuantities(left: Quantity, right: Quantity): Quantity | undefined {
  requireQuantity('addQuantities', left);
  requireQuantity('addQuantities', right);
  return arithmetic.addQuantities(left, right);
}

/**
 * Subtracts quantities as Quantity.Sub; see {@link addQuantities}.
 *
 * @throws TypeError if an argument is not a quantity
 */
export function subtractQuantities(left: Quantity, right: Quantity): Quantity | undefined {
  requireQuantity('subtractQuantities', left);
  requireQuantity('subtractQuantities', right);
  return arithmetic.subtractQuantities(left, right);
}

const formats: ReadonlySet<unknown> = new Set<order.QuantityFormat>([
  'BinarySI',
  'DecimalSI',
  'DecimalExponent',
]);

function requireQuantity(call: string, value: unknown): void {
  if (!hasMembers(value) || typeof value['unscaled'] !== 'bigint') {
    const given = hasMembers(value) && 'error' in value ? 'its error' : describeValue(value);
    throw new TypeError(`${call} takes a quantity that \`parseQuantity\` gave, not ${given}`);
  }
  const { exponent, big, format } = value;
  if (Number.isSafeInteger(exponent) && typeof big === 'boolean' && formats.has(format)) return;
  throw new TypeError(`${call} takes a quantity with \`exponent\`, \`big\` and \`format\``);
}
