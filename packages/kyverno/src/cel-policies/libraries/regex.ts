import { CelError, type Library, Optional, type Value } from '@kubeadmit/cel';
import { intType, listOf, optionalOf, stringType } from '@kubeadmit/cel/internal';
import { recentRegex } from '@kubeadmit/go/internal';
import { functionsNamed } from './declare.ts';

/**
 * Regular expressions (cel-go's `ext.Regex`).
 *
 * - `regex.replace("a-b", "(a)-(b)", r"\2-\1")` is `"b-a"`; a fourth argument is how often at most.
 * - `regex.extract("id:42", "id:([0-9]+)")` is `optional.of("42")`.
 * - `regex.extractAll("id:1, id:2", "id:([0-9]+)")` is `["1", "2"]`.
 */
export const regexLibrary: Library = {
  name: 'cel.lib.ext.regex',
  functions: [
    ...functionsNamed(
      ['regex.replace'],
      {
        id: 'regex_replace_string_string_string',
        parameters: [stringType, stringType, stringType],
        result: stringType,
        evaluate: (text: Value, pattern: Value, replacement: Value) =>
          replace(text as string, pattern as string, replacement as string, -1),
      },
      {
        id: 'regex_replace_string_string_string_int',
        parameters: [stringType, stringType, stringType, intType],
        result: stringType,
        evaluate: (text: Value, pattern: Value, replacement: Value, count: Value) =>
          replace(text as string, pattern as string, replacement as string, Number(count)),
      },
    ),
    ...functionsNamed(['regex.extract'], {
      id: 'regex_extract_string_string',
      parameters: [stringType, stringType],
      result: optionalOf(stringType),
      evaluate: (text: Value, pattern: Value) => {
        const found = extracted(text as string, pattern as string);
        if (found instanceof CelError) return found;
        const [first = ''] = found;
        return found.length === 0 || first === '' ? Optional.none : new Optional(first);
      },
    }),
    ...functionsNamed(['regex.extractAll'], {
      id: 'regex_extractAll_string_string',
      parameters: [stringType, stringType],
      result: listOf(stringType),
      evaluate: (text: Value, pattern: Value) => {
        const found = extracted(text as string, pattern as string);
        return found instanceof CelError ? found : found.filter((one) => one !== '');
      },
    }),
  ],
};

/** What the only group of a pattern holds in each match, or the matches where it has none. */
function extracted(text: string, pattern: string): readonly string[] | CelError {
  const expression = recentRegex(pattern);
  if ('error' in expression) return new CelError(expression.error);
  const groups = expression.groupCount;
  if (groups > 1) {
    const quoted = JSON.stringify(pattern);
    return new CelError(`regular expression has more than one capturing group: ${quoted}`);
  }
  return expression.matches(text).map((match) => match.groups[groups] ?? '');
}

function replace(
  text: string,
  pattern: string,
  replacement: string,
  count: number,
): string | CelError {
  if (count === 0) return text;
  const expression = recentRegex(pattern);
  if ('error' in expression) return new CelError(expression.error);
  const pieces: string[] = [];
  let end = 0;
  for (const [index, match] of expression.matches(text).entries()) {
    if (count > 0 && index >= count) break;
    const put = filledIn(replacement, match.groups);
    if (put instanceof CelError) return put;
    pieces.push(text.slice(end, match.start), put);
    end = match.end;
  }
  return pieces.join('') + text.slice(end);
}

/** A replacement with the groups of a match in the places of `\1` and so on. */
function filledIn(replacement: string, groups: readonly string[]): string | CelError {
  const count = groups.length - 1;
  let text = '';
  for (let index = 0; index < replacement.length; index++) {
    const character = replacement[index];
    if (character !== '\\') {
      text += character;
      continue;
    }
    const next = replacement[++index];
    const wrong = `invalid replacement string: '${replacement}' \\ `;
    if (next === undefined) return new CelError(`${wrong}not allowed at end`);
    if (next !== '\\' && !/[0-9]/.test(next)) {
      return new CelError(`${wrong}must be followed by a digit or \\`);
    }
    if (next !== '\\' && Number(next) > count) {
      return new CelError(
        `replacement string references group ${next} but regex has only ${count} group(s)`,
      );
    }
    text += next === '\\' ? next : (groups[Number(next)] ?? '');
  }
  return text;
}
