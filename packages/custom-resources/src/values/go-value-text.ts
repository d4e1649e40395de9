import { formatFloat64, formatJson, quote } from '@kubeadmit/go';
import { kindOf, numberOf } from './json-value.ts';

/** JSON as Go's `json.Marshal` writes a map: keys sorted. */
export function sortedJson(value: unknown): string {
  return formatJson(value, { isSorted: true });
}

/** Formats a value for a field error: strings quoted, numbers plain, everything else as JSON. */
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
      return sortedJson(value);
  }
}
