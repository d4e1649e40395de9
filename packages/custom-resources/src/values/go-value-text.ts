import { isObject } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { kindOf, numberOf, sortedKeys } from './json-value.ts';

/** A double as Go's verb `%v` prints it. */
export function goDouble(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  }
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (value === 0 || (exponent >= -4 && exponent < 6)) return String(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** JSON as Go's `json.Marshal` writes it: keys sorted, `<`, `>` and `&` escaped. */
export function goJsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJsonText).join(',')}]`;
  if (isObject(value)) {
    const entries = sortedKeys(value).map((key) => `${goText(key)}:${goJsonText(value[key])}`);
    return `{${entries.join(',')}}`;
  }
  if (typeof value === 'string') return goText(value);
  if (typeof value === 'bigint') return String(value);
  if (kindOf(value) === 'null') return 'null';
  return JSON.stringify(numberOf(value) ?? value);
}

function goText(text: string): string {
  return JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** A value as it stands in a field error: texts quoted, numbers plain, all else as JSON. */
export function shownValue(value: unknown): string {
  switch (kindOf(value)) {
    case 'string':
      return quote(value as string);
    case 'integer':
    case 'boolean':
      return String(value);
    case 'number':
      return goDouble(numberOf(value) ?? Number.NaN);
    default:
      return goJsonText(value);
  }
}
