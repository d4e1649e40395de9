import { describeValue, requireText } from '../arguments.ts';
import * as writing from '../number/format-float.ts';
import * as floats from '../number/parse-float.ts';
import * as integers from '../number/parse-integer.ts';

/**
 * Parses a decimal 64-bit integer as Go's `strconv.ParseInt` with base 10: an optional sign and digits, no spaces,
 * no underscores.
 *
 * @throws TypeError if `text` is not a string
 */
export function parseInt64(text: string): bigint | integers.NumberProblem {
  requireText('parseInt64', text);
  return integers.parseInt64(text);
}

/**
 * Parses a double as Go's `strconv.ParseFloat` with 64 bits: decimal and hexadecimal forms with underscores between
 * digits, `inf`, `infinity` and `nan` in any case.
 *
 * @throws TypeError if `text` is not a string
 */
export function parseFloat64(text: string): number | integers.NumberProblem {
  requireText('parseFloat64', text);
  return floats.parseFloat64(text);
}

/**
 * Formats a double as Go's `%v` (`strconv.FormatFloat` with `'g'` and -1): the fewest digits that parse to the same
 * value, with an exponent below 1e-4 and from 1e6 on (`100000`, `1e+06`, `1e-05`).
 *
 * @throws TypeError if `value` is not a number; NaN is formatted as `NaN`
 */
export function formatFloat64(value: number): string {
  if (typeof value !== 'number') {
    throw new TypeError(`formatFloat64 takes a number, not ${describeValue(value)}`);
  }
  return writing.formatFloat64(value);
}
