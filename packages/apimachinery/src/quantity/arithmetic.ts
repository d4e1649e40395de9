import { fitsInt64, type Quantity, scaleUp } from './quantity.ts';

// A sum of numbers this far apart would take as many digits.
const longestSum = 100_000;

/**
 * Adds two quantities as Quantity.Add: in the format of the first one unless it is zero, in the small form if it
 * fits.
 *
 * Returns `undefined` if the sum would have over 100,000 digits (kube-apiserver has no such limit and runs out of
 * time or memory).
 */
export function addQuantities(left: Quantity, right: Quantity): Quantity | undefined {
  const format = left.unscaled === 0n ? right.format : left.format;
  if (!left.big && !right.big) {
    const small = addSmall(left, right);
    if (small !== undefined) return { ...small, big: false, format };
  }
  const exponent = Math.min(left.exponent, right.exponent);
  if (Math.max(left.exponent, right.exponent) - exponent > longestSum) return undefined;
  const unscaled =
    left.unscaled * 10n ** BigInt(left.exponent - exponent) +
    right.unscaled * 10n ** BigInt(right.exponent - exponent);
  return { unscaled, exponent, big: true, format };
}

function addSmall(
  left: Quantity,
  right: Quantity,
): Pick<Quantity, 'exponent' | 'unscaled'> | undefined {
  if (right.unscaled === 0n) return { unscaled: left.unscaled, exponent: left.exponent };
  if (left.unscaled === 0n) return { unscaled: right.unscaled, exponent: right.exponent };
  const exponent = Math.min(left.exponent, right.exponent);
  const a = scaleUp(left.unscaled, left.exponent - exponent);
  const b = scaleUp(right.unscaled, right.exponent - exponent);
  return a === undefined || b === undefined || !fitsInt64(a + b)
    ? undefined
    : { unscaled: a + b, exponent };
}

/** Subtracts quantities as Quantity.Sub; see {@link addQuantities}. */
export function subtractQuantities(left: Quantity, right: Quantity): Quantity | undefined {
  const negated = -right.unscaled;
  // In 64 bits the smallest number is its own negation; Go continues with it if it can.
  const wrapped = right.big ? negated : BigInt.asIntN(64, negated);
  const result = addQuantities(left, { ...right, unscaled: wrapped });
  return wrapped === negated || result?.big === false
    ? result
    : addQuantities(left, { ...right, unscaled: negated, big: true });
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

/**
 * The quantity with no decimals below `10^exponent`, rounded away from zero, as Quantity.RoundUp: -3 for
 * thousandths.
 */
export function roundUpQuantity(quantity: Quantity, exponent: number): Quantity {
  if (quantity.exponent >= exponent) return quantity;
  const { unscaled, big, format } = quantity;
  const shift = exponent - quantity.exponent;
  if (shift > String(unscaled).length) {
    const sign = unscaled === 0n ? 0n : unscaled > 0n ? 1n : -1n;
    return { unscaled: sign, exponent, big, format };
  }
  const divisor = 10n ** BigInt(shift);
  const whole = unscaled / divisor;
  const isExact = unscaled % divisor === 0n;
  const away = isExact ? 0n : unscaled > 0n ? 1n : -1n;
  return { unscaled: whole + away, exponent, big, format };
}
