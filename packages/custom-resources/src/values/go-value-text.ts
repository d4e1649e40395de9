import { isObject } from '@kubeadmit/apimachinery';
import { formatFloat64, quote, quoteJson } from '@kubeadmit/go';
import { sortedKeys } from '@kubeadmit/go/internal';
import { kindOf, numberOf } from './json-value.ts';

/** JSON as Go's `json.Marshal` writes it: keys sorted, `<`, `>` and `&` escaped. */
export function goJsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJsonText).join(',')}]`;
  if (isObject(value)) {
    const entries = sortedKeys(value).map((key) => `${quoteJson(key)}:${goJsonText(value[key])}`);
    return `{${entries.join(',')}}`;
  }
  if (typeof value === 'string') return quoteJson(value);
  if (typeof value === 'bigint') return String(value);
  if (kindOf(value) === 'null') return 'null';
  return JSON.stringify(numberOf(value) ?? value);
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
      return formatFloat64(numberOf(value) ?? Number.NaN);
    default:
      return goJsonText(value);
  }
}
