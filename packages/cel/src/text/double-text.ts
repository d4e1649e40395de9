/** The shortest decimal digits of a double and where its point is: `±0.d₁d₂…dₙ × 10^point`. */
interface Decimal {
  readonly sign: '' | '-';
  readonly digits: string;
  readonly point: number;
}

function shortestDecimal(value: number): Decimal {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  if (value === 0) {
    return { sign, digits: '0', point: 1 };
  }
  // Without an argument `toExponential` gives the shortest digits that read back as the value.
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return { sign, digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

function specialText(value: number): string | undefined {
  if (Number.isFinite(value)) {
    return undefined;
  }
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}

/**
 * Prints a double as CEL's `string()` and Go's `%v`: the shortest digits that read back as the same
 * value, with an exponent below 1e-4 and from 1e6 on (`100000`, `1e+06`, `1e-05`).
 */
export function doubleText(value: number): string {
  const special = specialText(value);
  if (special !== undefined) {
    return special;
  }
  const { sign, digits, point } = shortestDecimal(value);
  const exponent = point - 1;
  if (exponent >= -4 && exponent < 6) {
    return sign + plainDigits(digits, point);
  }
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const magnitude = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${digits.charAt(0)}${fraction}e${exponent < 0 ? '-' : '+'}${magnitude}`;
}

/** Prints a double with its shortest digits and never an exponent, as Go's `%f` with precision -1. */
export function plainDoubleText(value: number): string {
  const special = specialText(value);
  if (special !== undefined) {
    return special;
  }
  const { sign, digits, point } = shortestDecimal(value);
  return sign + plainDigits(digits, point);
}

function plainDigits(digits: string, point: number): string {
  if (point <= 0) {
    return `0.${'0'.repeat(-point)}${digits}`;
  }
  if (digits.length <= point) {
    return digits.padEnd(point, '0');
  }
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

// 1074 binary places need as many decimal ones; all further digits are zeros.
const longestFraction = 1074;

/**
 * Prints a finite double with a fixed number of decimals, as Go's `%.Nf`: the exact binary value
 * rounded half to even.
 */
export function fixedDoubleText(value: number, decimals: number): string {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const exact = Math.min(decimals, longestFraction);
  const digits = scaleByPowerOfTen(Math.abs(value), exact)
    .toString()
    .padStart(exact + 1, '0');
  const whole = digits.slice(0, digits.length - exact);
  if (decimals === 0) {
    return sign + whole;
  }
  return `${sign}${whole}.${digits.slice(digits.length - exact).padEnd(decimals, '0')}`;
}

/** Gives `value × 10^decimals` rounded half to even; `value` finite and not negative. */
function scaleByPowerOfTen(value: number, decimals: number): bigint {
  const { mantissa, exponent } = binaryParts(value);
  const scaled = mantissa * 10n ** BigInt(decimals);
  return exponent >= 0
    ? scaled << BigInt(exponent)
    : divideHalfToEven(scaled, 1n << BigInt(-exponent));
}

/** Divides two numbers that are not negative and rounds half to even. */
function divideHalfToEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twice = (dividend % divisor) * 2n;
  if (twice > divisor || (twice === divisor && quotient % 2n === 1n)) {
    return quotient + 1n;
  }
  return quotient;
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

/**
 * Gives the decimal digits of a positive finite double in scientific form: one digit before the
 * point and `decimals` after it, rounded half to even on the exact value.
 */
export function scientificDigits(
  value: number,
  decimals: number,
): { readonly digits: string; readonly exponent: number } {
  const exponent = shortestDecimal(value).point - 1;
  const digits = scaleSigned(value, decimals - exponent).toString();
  if (digits.length > decimals + 1) {
    return { digits: digits.slice(0, decimals + 1), exponent: exponent + 1 };
  }
  // The shortest digits of a value just below a power of ten can be those of the power.
  return digits.length > decimals
    ? { digits, exponent }
    : { digits: scaleSigned(value, decimals - exponent + 1).toString(), exponent: exponent - 1 };
}

function scaleSigned(value: number, places: number): bigint {
  if (places >= 0) {
    return scaleByPowerOfTen(value, places);
  }
  const { mantissa, exponent } = binaryParts(value);
  const divisor = 10n ** BigInt(-places);
  return exponent >= 0
    ? divideHalfToEven(mantissa << BigInt(exponent), divisor)
    : divideHalfToEven(mantissa, divisor << BigInt(-exponent));
}
