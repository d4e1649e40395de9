import { describeValue, hasMembers, requireText } from '@kubeadmit/go/internal';
import type { ParseError } from '../parse-error.ts';
import * as arithmetic from '../quantity/arithmetic.ts';
import * as writing from '../quantity/format-quantity.ts';
import * as reading from '../quantity/parse-quantity.ts';
import * as order from '../quantity/quantity.ts';

type Quantity = order.Quantity;

/**
 * Parses a quantity as resource.ParseQuantity of k8s.io/apimachinery; no string makes it throw.
 *
 * @throws TypeError for what is no string
 */
export function parseQuantity(text: string): Quantity | ParseError {
  requireText('parseQuantity', text);
  return reading.parseQuantity(text);
}

/**
 * Formats a quantity in its canonical form, as Quantity.String of k8s.io/apimachinery: no decimals,
 * the largest suffix that keeps the value exact.
 *
 * @throws TypeError for what is no quantity
 */
export function formatQuantity(quantity: Quantity): string {
  requireQuantity('formatQuantity', quantity);
  return writing.formatQuantity(quantity);
}

/**
 * Compares the exact values: -1, 0 or 1.
 *
 * @throws TypeError for what is no quantity
 */
export function compareQuantities(left: Quantity, right: Quantity): number {
  requireQuantity('compareQuantities', left);
  requireQuantity('compareQuantities', right);
  return order.compareQuantities(left, right);
}

/**
 * The sum, as Quantity.Add: in the format of the first one unless it is zero, in the small form where
 * that fits. `undefined` when the numbers are so far apart that the sum has over 100,000 digits
 * (kube-apiserver has no such limit and runs out of time or memory).
 *
 * @throws TypeError for what is no quantity
 */
export function addQuantities(left: Quantity, right: Quantity): Quantity | undefined {
  requireQuantity('addQuantities', left);
  requireQuantity('addQuantities', right);
  return arithmetic.addQuantities(left, right);
}

/**
 * The difference, as Quantity.Sub; see {@link addQuantities}.
 *
 * @throws TypeError for what is no quantity
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
