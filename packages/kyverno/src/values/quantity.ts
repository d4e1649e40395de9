import { type Quantity, parseQuantity as readQuantity } from '@kubeadmit/engine';

/** The quantity that a text is (`resource.ParseQuantity`), or undefined. */
export function parseQuantity(text: string): Quantity | undefined {
  // Most texts are words, which need no closer look.
  if (text.charCodeAt(0) > 57 && text.length > 2 && !/^[eE]/.test(text)) return undefined;
  const read = readQuantity(text);
  return 'error' in read ? undefined : read;
}

/** The product of a quantity and a number given as a quantity, in the former's format. */
export function multiplyQuantity(left: Quantity, factor: Quantity): Quantity {
  return {
    unscaled: left.unscaled * factor.unscaled,
    exponent: left.exponent + factor.exponent,
    big: true,
    format: left.format,
  };
}

/** The quotient of a quantity and a number given as a quantity, rounded down to the finer of the two. */
export function divideQuantity(left: Quantity, divisor: Quantity): Quantity {
  const exponent = Math.min(left.exponent, divisor.exponent);
  const shift = left.exponent - exponent - divisor.exponent;
  const unscaled =
    shift >= 0
      ? (left.unscaled * 10n ** BigInt(shift)) / divisor.unscaled
      : left.unscaled / (divisor.unscaled * 10n ** BigInt(-shift));
  return { unscaled, exponent, big: true, format: left.format };
}
