import { isPlainObject } from '@kubeadmit/base';
import { formatFloat64 } from '../number/format-float.ts';
import { sortedKeys } from '../text/compare.ts';

/**
 * Formats a JSON value as Go's `%v` does: bare strings, `<nil>`, `[a b]`, `map[k:v]` with sorted keys. A number is
 * a float64, a bigint an integer. An instance of a class is formatted by its `toJSON`.
 */
export function formatValue(value: unknown): string {
  return formatComposite(value, formatScalar);
}

/** Lists and objects as `%v`, `%s` and their like print them, with the result of `print` for other elements. */
export function formatComposite(value: unknown, print: (value: unknown) => string): string {
  if (Array.isArray(value)) {
    return `[${value.map((element) => formatComposite(element, print)).join(' ')}]`;
  }
  if (!isPlainObject(value)) return print(value);
  const members = sortedKeys(value).map((key) => `${key}:${formatComposite(value[key], print)}`);
  return `map[${members.join(' ')}]`;
}

function formatScalar(value: unknown): string {
  if (typeof value === 'number') return formatFloat64(value);
  if (value === null || value === undefined) return '<nil>';
  if (typeof value !== 'object') return String(value);
  const { toJSON } = value as { readonly toJSON?: () => unknown };
  return toJSON === undefined ? String(value) : formatValue(toJSON.call(value));
}

/** The type of a JSON value as Go's `%T` prints it. */
export function formatType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'float64';
    case 'bigint':
      return 'int64';
    case 'boolean':
      return 'bool';
    default:
      if (value === null || value === undefined) return '<nil>';
      return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
  }
}
