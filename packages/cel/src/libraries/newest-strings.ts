import type { Library } from '../declarations/library.ts';
import { functionsOf } from '../standard/functions-of.ts';
import { makeFormatRule } from './format-rule.ts';
import { formatRow } from './format-string.ts';
import { makeFormat } from './make-format.ts';
import {
  newestAcceptedTypes,
  newestFormatByClause,
  newestWrongTypeTexts,
} from './newest-format-verbs.ts';
import { stringsLibrary } from './strings.ts';

const maximalPrecision = 100;

/**
 * Functions on strings of cel-go's newest `ext.Strings` (version 5), which no Kubernetes version uses:
 * {@link stringsLibrary} with another `format`, and with `reverse`.
 *
 * - `"%s costs %e".format([{"a": 1.5}, 20])` is `"{a: 1.5} costs 2.000000e+01"`.
 * - `"gums".reverse()` is `"smug"`.
 *
 * A call costs the same as in version 4: 1 for most of the functions.
 */
export const newestStringsLibrary: Library = {
  name: 'strings',
  functions: [
    ...(stringsLibrary.functions ?? []).filter(({ name }) => name !== 'format'),
    ...functionsOf([
      formatRow(makeFormat(newestFormatByClause, maximalPrecision)),
      [
        'reverse',
        'string_reverse',
        'string.() -> string',
        (text: string) => [...text].reverse().join(''),
      ],
    ]),
  ],
  rules: [
    makeFormatRule({
      accepted: newestAcceptedTypes,
      takesWrappers: true,
      wrongTypeTexts: newestWrongTypeTexts,
      maximalPrecision,
    }),
  ],
};
