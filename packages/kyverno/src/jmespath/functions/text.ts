import { parseSemver, parseVersionRange } from '@kubeadmit/apimachinery/internal';
import type { Semver } from '@kubeadmit/apimachinery/semver';
import {
  compareText,
  formatFloat32Plain,
  joinPaths,
  recentRegex,
  truncateToInt64,
} from '@kubeadmit/go/internal';
import { matchesWildcard } from '../../match/wildcard.ts';
import { Failure } from '../failure.ts';
import type { ArgumentType, FunctionEntry } from '../step.ts';
import { functionFailure } from './errors.ts';

const text: readonly ArgumentType[] = ['string'];
const textOrNumber: readonly ArgumentType[] = ['string', 'number'];

/** Kyverno's functions on strings. */
export const textFunctions: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  onTexts('compare', 2, (left, right) => BigInt(Math.sign(compareText(left, right)))),
  onTexts('equal_fold', 2, (left, right) => fold(left) === fold(right)),
  [
    'replace',
    {
      parameters: [text, text, text, ['number']],
      apply: ([where, old, replacement, count]) =>
        replaceSome(
          where as string,
          old as string,
          replacement as string,
          Math.trunc(count as number),
        ),
    },
  ],
  onTexts('replace_all', 3, (where, old, replacement) => replaceSome(where, old, replacement, -1)),
  onTexts('to_upper', 1, (value) => mapCharacters(value, (character) => character.toUpperCase())),
  onTexts('to_lower', 1, (value) => mapCharacters(value, (character) => character.toLowerCase())),
  onTexts('trim', 2, trim),
  onTexts('trim_prefix', 2, (value, prefix) =>
    value.startsWith(prefix) ? value.slice(prefix.length) : value,
  ),
  onTexts('split', 2, (value, separator) =>
    separator === '' ? Array.from(value) : value.split(separator),
  ),
  ['regex_match', { parameters: [text, textOrNumber], apply: regexMatch }],
  [
    'regex_replace_all',
    {
      parameters: [text, textOrNumber, textOrNumber],
      apply: (args) => regexReplace('regex_replace_all', args, 'replaceAll'),
    },
  ],
  [
    'regex_replace_all_literal',
    {
      parameters: [text, textOrNumber, textOrNumber],
      apply: (args) => regexReplace('regex_replace_all_literal', args, 'replaceAllLiterally'),
    },
  ],
  [
    'pattern_match',
    {
      parameters: [text, textOrNumber],
      apply: ([pattern, value]) => matchesWildcard(pattern as string, scalarText(value)),
    },
  ],
  onTexts('to_boolean', 1, toBoolean),
  onTexts('path_canonicalize', 1, (path) => joinPaths(path)),
  [
    'truncate',
    {
      parameters: [text, ['number']],
      apply: ([value, length]) =>
        Array.from(value as string)
          .slice(0, Math.max(0, Number(truncateToInt64(length as number))))
          .join(''),
    },
  ],
  onTexts('semver_compare', 2, semverCompare),
]);

function onTexts(
  name: string,
  count: 1 | 2 | 3,
  apply: (first: string, second: string, third: string) => unknown,
): [string, FunctionEntry] {
  const parameters = Array.from({ length: count }, () => text);
  return [
    name,
    {
      parameters,
      apply: ([first, second, third]) => apply(first as string, second as string, third as string),
    },
  ];
}

/** A number as the text that functions on strings take it for. */
function scalarText(value: unknown): string {
  return typeof value === 'number' ? formatFloat32Plain(value) : String(value);
}

/** One form for all characters that differ in case only. */
function fold(value: string): string {
  return mapCharacters(
    mapCharacters(value, (character) => character.toUpperCase()),
    (character) => character.toLowerCase(),
  );
}

/** Maps each character, as far as the result is one character again. */
function mapCharacters(value: string, map: (character: string) => string): string {
  let mapped = '';
  for (const character of value) {
    const other = map(character);
    mapped += Array.from(other).length === 1 ? other : character;
  }
  return mapped;
}

function replaceSome(where: string, old: string, replacement: string, count: number): string {
  const limit = count < 0 ? Number.POSITIVE_INFINITY : count;
  if (limit === 0 || old === replacement) return where;
  const parts = old === '' ? ['', ...Array.from(where), ''] : where.split(old);
  if (old === '' && where === '') parts.pop();
  const replaced = Math.min(limit, parts.length - 1);
  let result = parts[0] ?? '';
  for (let at = 1; at < parts.length; at++) {
    result += (at <= replaced ? replacement : old) + (parts[at] ?? '');
  }
  return result;
}

function trim(value: string, cutset: string): string {
  const characters = Array.from(value);
  const set = new Set(cutset);
  let start = 0;
  let end = characters.length;
  while (start < end && set.has(characters[start] ?? '')) start++;
  while (end > start && set.has(characters[end - 1] ?? '')) end--;
  return characters.slice(start, end).join('');
}

function regexMatch([pattern, value]: readonly unknown[]): unknown {
  const expression = recentRegex(pattern as string);
  return 'error' in expression ? new Failure(expression.error) : expression.test(scalarText(value));
}

function regexReplace(
  name: string,
  [pattern, value, replacement]: readonly unknown[],
  replace: 'replaceAll' | 'replaceAllLiterally',
): unknown {
  const expression = recentRegex(pattern as string);
  if ('error' in expression) return functionFailure(name, expression.error);
  return expression[replace](scalarText(value), scalarText(replacement));
}

function toBoolean(value: string): unknown {
  const lower = mapCharacters(value, (character) => character.toLowerCase());
  if (lower === 'true') return true;
  if (lower === 'false') return false;
  return functionFailure(
    'to_boolean',
    `lowercase argument must be 'true' or 'false' (provided: '${value}')`,
  );
}

/** The version that stands for one that cannot be parsed. */
const zeroVersion: Semver = { major: 0n, minor: 0n, patch: 0n, prerelease: [], build: [] };

function semverCompare(text: string, range: string): unknown {
  const contains = parseVersionRange(range);
  if ('error' in contains) return new Failure(contains.error);
  const version = parseSemver(text);
  return contains('error' in version ? zeroVersion : version);
}
