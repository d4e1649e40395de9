import { makeDouble } from '@kubeadmit/cel/values';
import { formatFloat64 } from '@kubeadmit/go';
import { kindOf, numberOf } from '../values/json-value.ts';
import { isOn, limitOf, type Schema } from './schema.ts';
import { ValueResult, type Violation } from './value-result.ts';

const maxJsonInteger = 2 ** 53 - 1;
const tolerance = 1e-9;
const maxFloat32 = (2 - 2 ** -24) * 2 ** 127;

/** Whether a double is whole, or nearly so (go-openapi, `swag.IsFloat64AJSONInteger`). */
export function isJsonInteger(value: number): boolean {
  if (Number.isNaN(value) || Math.abs(value) > maxJsonInteger) return false;
  const rounded = Math.round(value);
  if (value === rounded) return true;
  return rounded !== 0 && Math.abs(value - rounded) < tolerance * Math.abs(rounded);
}

/** Checks a number against the limits of its schema, each of which has to fit the type, too. */
export function validateNumber(
  schema: Schema,
  types: readonly string[],
  format: string,
  path: string,
  value: unknown,
): ValueResult {
  const result = new ValueResult();
  const type = types.length === 1 ? (types[0] ?? '') : '';
  const typed = type === 'integer' || type === 'number' ? type : '';
  const misfit = (number: unknown, what: string): Violation | undefined =>
    fits(number, typed, format)
      ? undefined
      : {
          kind: 'unplaced',
          path,
          message: `${what} value must be of type ${typed} ${
            format === '' ? '(default format)' : `with format ${format}`
          } in ${path}`,
        };
  const own = misfit(value, 'Checked');
  if (own) result.add(own);
  const check = (key: string, what: string, compare: Comparison): void => {
    const limit = limitOf(schema, key);
    if (limit === undefined) return;
    const wrong = misfit(limit, what);
    if (wrong) result.add(wrong);
    const isNative = wrong === undefined && kindOf(value) === 'integer';
    const bound = isNative ? goInteger(limit) : limit;
    const number = isNative ? BigInt(value as number | bigint) : (numberOf(value) ?? 0);
    const message = compare(number, bound);
    if (message === undefined) return;
    const subject = message.startsWith('factor') ? bound : number;
    const shown = typeof subject === 'bigint' ? subject : makeDouble(subject);
    result.add({ kind: 'invalid', path, message, value: shown });
  };
  check('multipleOf', 'MultipleOf', (number, factor) => {
    if (factor <= 0) {
      return `factor MultipleOf declared for ${path} must be positive: ${numberText(factor)}`;
    }
    return isMultiple(number, factor)
      ? undefined
      : `${path} in body should be a multiple of ${numberText(factor)}`;
  });
  const isMinimumExclusive = isOn(schema, 'exclusiveMinimum');
  check('minimum', 'Minimum boundary', (number, minimum) => {
    if (isMinimumExclusive ? number > minimum : number >= minimum) return undefined;
    const relation = isMinimumExclusive ? 'greater than' : 'greater than or equal to';
    return `${path} in body should be ${relation} ${numberText(minimum)}`;
  });
  const isMaximumExclusive = isOn(schema, 'exclusiveMaximum');
  check('maximum', 'Maximum boundary', (number, maximum) => {
    if (isMaximumExclusive ? number < maximum : number <= maximum) return undefined;
    const relation = isMaximumExclusive ? 'less than' : 'less than or equal to';
    return `${path} in body should be ${relation} ${numberText(maximum)}`;
  });
  result.matches++;
  return result;
}

type Comparison = (number: number | bigint, bound: number | bigint) => string | undefined;

function numberText(value: number | bigint): string {
  return typeof value === 'bigint' ? String(value) : formatFloat64(value);
}

function isMultiple(number: number | bigint, factor: number | bigint): boolean {
  if (typeof number === 'bigint' && typeof factor === 'bigint') return number % factor === 0n;
  const [data, by] = [Number(number), Number(factor)];
  return isJsonInteger(by < 1 ? (1 / by) * data : data / by);
}

function fits(number: unknown, type: string, format: string): boolean {
  const value = numberOf(number) ?? 0;
  if (type === 'integer') {
    if (!Number.isInteger(value)) return false;
    const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
    const exact = typeof number === 'bigint' ? number : BigInt(value);
    return exact >= -BigInt(limit) && exact < BigInt(limit);
  }
  return format !== 'float' || Math.abs(value) < maxFloat32;
}

/** Converts a double to a 64-bit integer as Go does; one that does not fit becomes the minimum. */
function goInteger(value: number): bigint {
  return Math.abs(value) < 2 ** 63 ? BigInt(Math.trunc(value)) : -(2n ** 63n);
}
