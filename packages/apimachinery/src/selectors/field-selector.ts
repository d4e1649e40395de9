import { compareText } from '@kubeadmit/go';
import type { ParseError } from '../errors/parse-error.ts';

/** One requirement of a field selector (apimachinery's `fields.Requirement`). */
export interface FieldRequirement {
  /** The path of the field, such as `metadata.name`. */
  readonly field: string;
  /** `=` also for `==`. */
  readonly operator: '!=' | '=';
  /** The value without escapes. */
  readonly value: string;
}

/**
 * Parses a field selector as `fields.ParseSelector`: `a=b,c!=d`, terms in the order of their text,
 * `\` before `\`, `,` and `=` within values; never throws.
 */
export function parseFieldSelector(selector: string): readonly FieldRequirement[] | ParseError {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(selector).sort(compareText)) {
    if (term === '') continue;
    const match = /^([\s\S]*?)(!=|==|=)([\s\S]*)$/.exec(term);
    if (match === null) {
      return { error: `invalid selector: '${selector}'; can't understand '${term}'` };
    }
    const value = unescapeValue(match[3] ?? '');
    if (typeof value !== 'string') return value;
    const field = match[1] ?? '';
    if (field !== '' || value !== '') {
      requirements.push({ field, operator: match[2] === '!=' ? '!=' : '=', value });
    }
  }
  return requirements;
}

/**
 * Whether the fields of an object fulfil all requirements; a field that is not there is empty
 * (apimachinery `fields.Selector`).
 */
export function matchesFields(
  requirements: readonly FieldRequirement[],
  fields: Readonly<Record<string, string>>,
): boolean {
  return requirements.every(({ field, operator, value }) => {
    const actual = Object.hasOwn(fields, field) ? fields[field] : '';
    return (actual === value) === (operator === '=');
  });
}

function splitTerms(selector: string): string[] {
  return selector.match(/(?:\\[\s\S]|[^\\,])+\\?|\\$/g) ?? [];
}

function unescapeValue(text: string): string | ParseError {
  let value = '';
  const characters = text[Symbol.iterator]();
  for (const character of characters) {
    if (character === '\\') {
      const next = characters.next();
      const escaped = next.done === true ? '' : next.value;
      if (escaped !== '\\' && escaped !== ',' && escaped !== '=') {
        return { error: `invalid field selector: invalid escape sequence: \\${escaped}` };
      }
      value += escaped;
    } else if (character === ',' || character === '=') {
      const code = character.charCodeAt(0);
      return { error: `invalid field selector: unescaped character in value: ${code}` };
    } else {
      value += character;
    }
  }
  return value;
}
