import { type OptionKind, requireOptions, requireValue } from '../arguments.ts';
import * as writing from '../json/format-json.ts';
import type { JsonOptions } from '../json/json-reader.ts';
import * as reading from '../json/parse-json.ts';

const jsonOptions: Readonly<Record<keyof JsonOptions, OptionKind>> = {
  numbers: 'object',
  uniqueKeys: 'boolean',
  startsOf: 'string',
};

/**
 * Parses a JSON text as Go's `json.Unmarshal` does into an empty interface: lone surrogates that are escaped become
 * U+FFFD, and `__proto__` is a key as any other.
 *
 * @throws JsonError with Go's text, and a TypeError for what is no text, and for options that there are not.
 */
export function parseJson(text: string, options: JsonOptions = {}): unknown {
  requireValue('parseJson', text, 'string', 'a text of JSON');
  requireOptions('parseJson', options, jsonOptions);
  return reading.parseJson(text, options);
}

const jsonFormat: Readonly<Record<keyof writing.JsonFormat, OptionKind>> = {
  isSorted: 'boolean',
  indent: 'number',
  isAsRead: 'boolean',
};

/**
 * Formats a value as Go's `json.Marshal`: every digit of integers, `1` for the double 1, `<`, `>`, `&` and the two line
 * separators of Unicode as `\u003c` and so on, lone surrogates as `\ufffd`.
 *
 * Members stand in their own order unless `isSorted`; those that are undefined are left out. A value of a class writes
 * what its `toJSON` gives; throws `JsonFormError` where it has none, and on NaN and infinities, and a `TypeError` for a
 * value that is nested too deeply or contains itself, and for a format that there is not.
 */
export function formatJson(value: unknown, format: writing.JsonFormat = {}): string {
  requireOptions('formatJson', format, jsonFormat);
  return writing.formatJson(value, format);
}
