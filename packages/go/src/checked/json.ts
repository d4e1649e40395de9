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
 * Parses JSON as Go's `json.Unmarshal` does into an empty interface: escaped lone surrogates become U+FFFD, and
 * `__proto__` is an ordinary key.
 *
 * @throws JsonError with Go's message, and a TypeError if `text` is not a string or an option is unknown.
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
 * Formats a value as Go's `json.Marshal`: every digit of integers, `1` for the double 1, `<`, `>`, `&` and the two
 * line separators of Unicode as `\u003c` and so on, lone surrogates as `\ufffd`.
 *
 * Members keep their order unless `isSorted` is set; undefined ones are omitted. Instances of classes are written
 * by their `toJSON`.
 *
 * @throws JsonFormError for an instance without `toJSON`, NaN and infinities; TypeError for a value that is nested
 * too deeply or contains itself, and for an unknown format
 */
export function formatJson(value: unknown, format: writing.JsonFormat = {}): string {
  requireOptions('formatJson', format, jsonFormat);
  return writing.formatJson(value, format);
}
