import { CelError, type Library, Optional, type Value } from '@kubeadmit/cel';
import { recentRegex } from '@kubeadmit/go/unstable-internal';
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
  functions: functionsNamed([
    [
      'regex.replace',
      'regex_replace_string_string_string',
      '(string, string, string) -> string',
      replace,
    ],
    [
      'regex.replace',
      'regex_replace_string_string_string_int',
      '(string, string, string, int) -> string',
      replace,
    ],
    [
      'regex.extract',
      'regex_extract_string_string',
      '(string, string) -> optional<string>',
      (text: string, pattern: string) => {
        const found = extracted(text, pattern);
        if (found instanceof CelError) return found;
        const [first] = found.texts;
        const isNone = first === undefined || (first === '' && found.isOfGroup);
        return isNone ? Optional.none : new Optional(first);
      },
    ],
    [
      'regex.extractAll',
      'regex_extractAll_string_string',
      '(string, string) -> list<string>',
      (text: string, pattern: string) => {
        const found = extracted(text, pattern);
        if (found instanceof CelError) return found;
        // A complete match may be empty; the content of a group may not.
        return found.isOfGroup ? found.texts.filter((one) => one !== '') : found.texts;
      },
    ],
  ]),
};

interface Extracted {
  readonly texts: string[];
  readonly isOfGroup: boolean;
}

/** Returns the text of a pattern's only group in each match, or the matches if it has no group. */
function extracted(text: string, pattern: string): Extracted | CelError {
  const expression = recentRegex(pattern);
  if ('error' in expression) return new CelError(expression.error);
  const groups = expression.groupCount;
  if (groups > 1) {
    const quoted = JSON.stringify(pattern);
    return new CelError(`regular expression has more than one capturing group: ${quoted}`);
  }
  const texts = expression.matches(text).map((match) => match.groups[groups] ?? '');
  return { texts, isOfGroup: groups === 1 };
}

function replace(
  text: string,
  pattern: string,
  replacement: string,
  most: Value = -1,
): string | CelError {
  const count = Number(most);
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
