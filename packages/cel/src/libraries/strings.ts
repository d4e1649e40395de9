import { trimSpace } from '@kubeadmit/go/internal';
import type { FunctionDeclaration } from '../function-declaration.ts';
import type { Library } from '../library.ts';
import { overload } from '../standard/signature.ts';
import { formatGoValue } from '../values/format-go-value.ts';
import { CelError, type Value } from '../values/value.ts';
import { formatRule } from './format-rule.ts';
import { applyFormat } from './format-string.ts';
import { type FormatClause, FormatProblem, formatByClause } from './format-verbs.ts';
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

/** The function `format`, given how a clause formats a value. */
export function makeFormat(
  formatValue: (value: Value, clause: FormatClause) => string | FormatProblem,
  maximalPrecision?: number,
): (text: string, values: readonly Value[]) => Value {
  return (text, values) => {
    const outcome = applyFormat(
      text,
      {
        size: values.length,
        eager: true,
        maximalPrecision,
        format: (index, clause) => formatValue(values[index] ?? null, clause),
      },
      (message) => new FormatProblem(message),
    );
    return outcome instanceof FormatProblem ? new CelError(outcome.message) : outcome.text;
  };
}

const functions: readonly FunctionDeclaration[] = [
  {
    name: 'charAt',
    overloads: [overload('string_char_at_int', 'string.(int) -> string', { evaluate: charAt })],
  },
  {
    name: 'indexOf',
    overloads: [
      overload('string_index_of_string', 'string.(string) -> int', {
        evaluate: (text: string, part: string) => indexOf(text, part, 0),
      }),
      overload('string_index_of_string_int', 'string.(string, int) -> int', {
        evaluate: indexOf,
      }),
    ],
  },
  {
    name: 'lastIndexOf',
    overloads: [
      overload('string_last_index_of_string', 'string.(string) -> int', { evaluate: lastIndexOf }),
      overload('string_last_index_of_string_int', 'string.(string, int) -> int', {
        evaluate: lastIndexOfFrom,
      }),
    ],
  },
  {
    name: 'lowerAscii',
    overloads: [overload('string_lower_ascii', 'string.() -> string', { evaluate: lowerAscii })],
  },
  {
    name: 'replace',
    overloads: [
      overload('string_replace_string_string', 'string.(string, string) -> string', {
        evaluate: (text: string, old: string, replacement: string) =>
          replace(text, old, replacement, -1),
      }),
      overload('string_replace_string_string_int', 'string.(string, string, int) -> string', {
        evaluate: replace,
      }),
    ],
  },
  {
    name: 'split',
    overloads: [
      overload('string_split_string', 'string.(string) -> list<string>', {
        evaluate: (text: string, separator: string) => split(text, separator, -1),
      }),
      overload('string_split_string_int', 'string.(string, int) -> list<string>', {
        evaluate: split,
      }),
    ],
  },
  {
    name: 'substring',
    overloads: [
      overload('string_substring_int', 'string.(int) -> string', { evaluate: substringFrom }),
      overload('string_substring_int_int', 'string.(int, int) -> string', {
        evaluate: substring,
      }),
    ],
  },
  {
    name: 'trim',
    overloads: [overload('string_trim', 'string.() -> string', { evaluate: trimSpace })],
  },
  {
    name: 'upperAscii',
    overloads: [overload('string_upper_ascii', 'string.() -> string', { evaluate: upperAscii })],
  },
  {
    name: 'join',
    overloads: [
      overload('list_join', 'list<string>.() -> string', {
        evaluate: (list: readonly Value[]) => join(list, ''),
      }),
      overload('list_join_string', 'list<string>.(string) -> string', { evaluate: join }),
    ],
  },
  {
    name: 'format',
    overloads: [
      overload('string_format', 'string.(list<dyn>) -> string', {
        variadic: true,
        evaluate: makeFormat(formatByClause),
      }),
    ],
  },
  {
    name: 'strings.quote',
    overloads: [overload('strings_quote', '(string) -> string', { evaluate: quoteString })],
  },
];

/**
 * Functions on strings (cel-go's `ext.Strings`, version 2); positions count code points.
 *
 * - `"héllo".charAt(1)` is `"é"`; `"hello".indexOf("l")` is 2, `"hello".lastIndexOf("l")` is 3.
 * - `"hello".substring(1, 3)` is `"el"`; `"a,b".split(",")` is `["a", "b"]`, joined by `join(",")`.
 * - `"hello".replace("l", "w", 1)` is `"hewlo"`; `"AÉ".lowerAscii()` is `"aÉ"`; `" a ".trim()` is `"a"`.
 * - `"%s has %d".format(["x", 2])` is `"x has 2"`; `strings.quote("a\n")` is `"\"a\\n\""`.
 */
export const stringsLibrary: Library = { name: 'strings', functions, rules: [formatRule] };

export { type FormatClause, FormatProblem, formatByClause } from './format-verbs.ts';
