import { trimSpace } from '@kubeadmit/go';
import type { Library } from '../declarations/library.ts';
import { functionsOf } from '../standard/functions-of.ts';
import { formatGoValue } from '../values/format-go-value.ts';
import { CelError, type Value } from '../values/value.ts';
import { formatRule } from './format-rule.ts';
import { formatRow } from './format-string.ts';
import { formatByClause } from './format-verbs.ts';
import { makeFormat } from './make-format.ts';
import { quoteString } from './quote-string.ts';
import {
  charAt,
  indexOf,
  lastIndexOf,
  lastIndexOfFrom,
  lowerAscii,
  replace,
  split,
  substring,
  substringFrom,
  upperAscii,
} from './string-functions.ts';

function join(list: readonly Value[], separator: string): Value {
  for (const element of list) {
    if (typeof element !== 'string')
      return new CelError(`join: invalid input: ${formatGoValue(element)}`);
  }
  return list.join(separator);
}

const functions = functionsOf([
  ['charAt', 'string_char_at_int', 'string.(int) -> string', charAt],
  [
    'indexOf',
    'string_index_of_string',
    'string.(string) -> int',
    (text: string, part: string) => indexOf(text, part, 0),
  ],
  ['indexOf', 'string_index_of_string_int', 'string.(string, int) -> int', indexOf],
  ['lastIndexOf', 'string_last_index_of_string', 'string.(string) -> int', lastIndexOf],
  [
    'lastIndexOf',
    'string_last_index_of_string_int',
    'string.(string, int) -> int',
    lastIndexOfFrom,
  ],
  ['lowerAscii', 'string_lower_ascii', 'string.() -> string', lowerAscii],
  [
    'replace',
    'string_replace_string_string',
    'string.(string, string) -> string',
    (text: string, old: string, replacement: string) => replace(text, old, replacement, -1),
  ],
  [
    'replace',
    'string_replace_string_string_int',
    'string.(string, string, int) -> string',
    replace,
  ],
  [
    'split',
    'string_split_string',
    'string.(string) -> list<string>',
    (text: string, separator: string) => split(text, separator, -1),
  ],
  ['split', 'string_split_string_int', 'string.(string, int) -> list<string>', split],
  ['substring', 'string_substring_int', 'string.(int) -> string', substringFrom],
  ['substring', 'string_substring_int_int', 'string.(int, int) -> string', substring],
  ['trim', 'string_trim', 'string.() -> string', trimSpace],
  ['upperAscii', 'string_upper_ascii', 'string.() -> string', upperAscii],
  ['join', 'list_join', 'list<string>.() -> string', (list: readonly Value[]) => join(list, '')],
  ['join', 'list_join_string', 'list<string>.(string) -> string', join],
  formatRow(makeFormat(formatByClause)),
  ['strings.quote', 'strings_quote', '(string) -> string', quoteString],
]);

/**
 * Functions on strings (cel-go's `ext.Strings`, version 2); positions count code points.
 *
 * - `"héllo".charAt(1)` is `"é"`; `"hello".indexOf("l")` is 2, `"hello".lastIndexOf("l")` is 3.
 * - `"hello".substring(1, 3)` is `"el"`; `"a,b".split(",")` is `["a", "b"]`, joined by `join(",")`.
 * - `"hello".replace("l", "w", 1)` is `"hewlo"`; `"AÉ".lowerAscii()` is `"aÉ"`; `" a ".trim()` is `"a"`.
 * - `"%s has %d".format(["x", 2])` is `"x has 2"`; `strings.quote("a\n")` is `"\"a\\n\""`.
 */
export const stringsLibrary: Library = { name: 'strings', functions, rules: [formatRule] };
