const floatText =
  /^[+-]?(?:(?:\d[\d_]*)?(?:\.[\d_]*)?(?:e[+-]?\d[\d_]*)?|inf(?:inity)?|0x[\da-f_]*(?:\.[\da-f_]*)?p[+-]?\d[\d_]*)$|^nan$/i;

/**
 * The number that a text is as Go's `strconv.ParseFloat` reads it, or undefined.
 *
 * Exponents, hexadecimal floats, underscores between digits, `inf`, `infinity` and `nan` are read; a number
 * out of range is not.
 */
export function parseFloatText(text: string): number | undefined {
  const first = text.charCodeAt(0);
  const plausible =
    (first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46 || first > 64;
  if (!plausible || !floatText.test(text)) return undefined;
  const negative = first === 45;
  const body = (first === 43 || negative ? text.slice(1) : text).toLowerCase();
  if (body === 'nan') return Number.NaN;
  if (body.startsWith('inf')) return negative ? -Infinity : Infinity;
  if (!/[\da-f]/.test(body.replace(/^0x/, '').split(body.startsWith('0x') ? 'p' : 'e')[0] ?? '')) {
    return undefined;
  }
  if (body.includes('_') && !underscoresSeparateDigits(body)) return undefined;
  const digits = body.replaceAll('_', '');
  const value = digits.startsWith('0x') ? hexFloat(digits.slice(2)) : Number(digits);
  if (!Number.isFinite(value)) return undefined;
  return negative ? -value : value;
}

function underscoresSeparateDigits(body: string): boolean {
  const hex = body.startsWith('0x');
  const proper = hex ? `0${body.slice(2)}` : body;
  return (hex ? /[^\da-f]_|_[^\da-f]|^_|_$/ : /[^\d]_|_[^\d]|^_|_$/).test(proper) === false;
}

function hexFloat(digits: string): number {
  const [mantissa = '', exponent = '0'] = digits.split('p');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const joined = BigInt(`0x0${whole}${fraction}`);
  return scaleByPowerOfTwo(joined, Number(exponent) - 4 * fraction.length);
}

function scaleByPowerOfTwo(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  if (exponent >= 0) return exponent > 1100 ? Infinity : Number(mantissa << BigInt(exponent));
  const width = mantissa.toString(2).length;
  if (width + exponent < -1100) return 0;
  if (width <= 53)
    return Number(mantissa) * 2 ** Math.max(exponent, -1000) * 2 ** Math.min(exponent + 1000, 0);
  const cut = BigInt(width - 54);
  const sticky = (mantissa & ((1n << cut) - 1n)) === 0n ? 0n : 1n;
  return scaleByPowerOfTwo(
    BigInt(Number(((mantissa >> cut) << 1n) | sticky)),
    exponent + width - 55,
  );
}

/** The integer that a text is in base 10 as Go's `strconv.ParseInt` reads it into 64 bits, or undefined. */
export function parseIntText(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value === BigInt.asIntN(64, value) ? value : undefined;
}

/** A double as the 64-bit integer that Go's conversion gives on amd64: the fraction is dropped. */
export function toInt64(value: number): bigint {
  const whole = Math.trunc(value);
  if (!(whole >= -(2 ** 63) && whole < 2 ** 63)) return -(2n ** 63n);
  return BigInt(whole);
}

/** A number as Go's `%v` writes it: shortest digits, with an exponent from 1e+06 up and below 1e-04. */
export function formatGeneral(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Number.isInteger(value) && Math.abs(value) < 1e6) {
    return Object.is(value, -0) ? '-0' : String(value);
  }
  const { sign, digits, exponent } = decompose(value);
  return exponent < -4 || exponent >= 6
    ? exponential(sign, digits, exponent, 'e')
    : sign + plain(digits, exponent);
}

/** A number as Go's `%E` writes it with the fewest digits: `8.08E+03`. */
export function formatExponent(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  const { sign, digits, exponent } = decompose(value);
  return exponential(sign, digits, digits === '0' ? 0 : exponent, 'E');
}

/** A number as Go's `%f` writes it: six decimals. */
export function formatFixed(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (Math.abs(value) < 1e21) return Object.is(value, -0) ? '-0.000000' : value.toFixed(6);
  return `${BigInt(value)}.000000`;
}

/** A number as the shortest decimal text, without exponent, that is the same 32-bit float. */
export function formatFloat32(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? '+Inf' : '-Inf';
  if (single === 0) return Object.is(single, -0) ? '-0' : '0';
  for (let precision = 1; precision <= 9; precision++) {
    const text = single.toPrecision(precision);
    if (Math.fround(Number(text)) === single) {
      const { sign, digits, exponent } = decompose(Number(text));
      return sign + plain(digits, exponent);
    }
  }
  return String(single);
}

interface Decimal {
  readonly sign: string;
  readonly digits: string;
  readonly exponent: number;
}

function decompose(value: number): Decimal {
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toExponential().split('e');
  return { sign, digits: mantissa.replace('.', ''), exponent: Number(exponent) };
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits + '0'.repeat(exponent + 1 - digits.length);
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

function exponential(sign: string, digits: string, exponent: number, letter: string): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${digits[0]}${fraction}${letter}${exponent < 0 ? '-' : '+'}${power}`;
}
