/** Decimal digits of a number in scientific form: one digit before the point, the others after it. */
export interface Decimal {
  readonly sign: '' | '-';
  readonly digits: string;
  readonly exponent: number;
}

/** The sign of a number, that of a negative zero included. */
export function signOf(value: number): '' | '-' {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

/** The fewest decimal digits that read back as the same finite double. */
export function shortestDecimal(value: number): Decimal {
  // Without an argument `toExponential` gives just these.
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return { sign: signOf(value), digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

/** The decimal digits of a finite double, `decimals` of them after the point, the exact value rounded half to even. */
export function roundedDecimal(value: number, decimals: number): Decimal {
  const sign = signOf(value);
  if (value === 0) return { sign, digits: '0'.repeat(decimals + 1), exponent: 0 };
  const size = Math.abs(value);
  const { exponent } = shortestDecimal(size);
  const digits = scaleByPowerOfTen(size, decimals - exponent).toString();
  if (digits.length > decimals + 1) {
    return { sign, digits: digits.slice(0, decimals + 1), exponent: exponent + 1 };
  }
  if (digits.length > decimals) return { sign, digits, exponent };
  // The shortest digits of a value just below a power of ten can be those of the power.
  const more = scaleByPowerOfTen(size, decimals - exponent + 1).toString();
  return { sign, digits: more, exponent: exponent - 1 };
}

/** Gives `value × 10^places` rounded half to even; `value` finite and not negative. */
export function scaleByPowerOfTen(value: number, places: number): bigint {
  const { mantissa, exponent } = binaryParts(value);
  const factor = 10n ** BigInt(Math.max(places, 0));
  const divisor = 10n ** BigInt(Math.max(-places, 0));
  return exponent >= 0
    ? divideHalfToEven((mantissa * factor) << BigInt(exponent), divisor)
    : divideHalfToEven(mantissa * factor, divisor << BigInt(-exponent));
}

/** Divides two numbers that are not negative and rounds half to even. */
function divideHalfToEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** Splits a finite double that is not negative into `mantissa × 2^exponent`, exactly. */
function binaryParts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}
