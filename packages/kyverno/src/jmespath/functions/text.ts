import { parseSemver, parseVersionRange, type Semver } from '@kubeadmit/apimachinery/semver';
import { compareText, formatFloat32Plain, joinPaths, truncateToInt64 } from '@kubeadmit/go';
import { recentRegex } from '@kubeadmit/go/unstable-internal';
import { matchesWildcard } from '../../match/wildcard.ts';
import { Failure } from '../steps/failure.ts';
import type { FunctionEntry } from '../steps/step.ts';
import { define } from './define.ts';
import { functionFailure } from './errors.ts';

const textOrNumber = ['string', 'number'] as const;

/** Kyverno's functions on strings. */
export const textFunctions: ReadonlyMap<string, FunctionEntry> = new Map([
  define('compare', ['string', 'string'], (left, right) =>
    BigInt(Math.sign(compareText(left, right))),
  ),
  define('equal_fold', ['string', 'string'], (left, right) => fold(left) === fold(right)),
  define('replace', ['string', 'string', 'string', 'number'], (where, old, replacement, count) =>
    replaceSome(where, old, replacement, Math.trunc(count)),
  ),
  define('replace_all', ['string', 'string', 'string'], (where, old, replacement) =>
    replaceSome(where, old, replacement, -1),
  ),
  define('to_upper', ['string'], upper),
  define('to_lower', ['string'], lower),
  define('trim', ['string', 'string'], trim),
  define('trim_prefix', ['string', 'string'], (value, prefix) =>
    value.startsWith(prefix) ? value.slice(prefix.length) : value,
  ),
  define('split', ['string', 'string'], (value, separator) =>
    separator === '' ? Array.from(value) : value.split(separator),
  ),
  define('regex_match', ['string', textOrNumber], regexMatch),
  regexReplace('regex_replace_all', 'replaceAll'),
  regexReplace('regex_replace_all_literal', 'replaceAllLiterally'),
  define('pattern_match', ['string', textOrNumber], (pattern, value) =>
    matchesWildcard(pattern, scalarText(value)),
  ),
  define('to_boolean', ['string'], toBoolean),
  define('path_canonicalize', ['string'], (path) => joinPaths(path)),
  define('truncate', ['string', 'number'], (value, length) =>
    Array.from(value)
      .slice(0, Math.max(0, Number(truncateToInt64(length))))
      .join(''),
  ),
  define('semver_compare', ['string', 'string'], semverCompare),
]);

/** A number as the text that functions on strings take it for. */
function scalarText(value: string | number): string {
  return typeof value === 'number' ? formatFloat32Plain(value) : value;
}

/** One form for all characters that differ in case only. */
function fold(value: string): string {
  return lower(upper(value));
}

function upper(value: string): string {
  return mapCharacters(value, (character) => character.toUpperCase());
}

function lower(value: string): string {
  return mapCharacters(value, (character) => character.toLowerCase());
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

function regexMatch(pattern: string, value: string | number): unknown {
  const expression = recentRegex(pattern);
  return 'error' in expression ? new Failure(expression.error) : expression.test(scalarText(value));
}

function regexReplace(
  name: string,
  replace: 'replaceAll' | 'replaceAllLiterally',
): [string, FunctionEntry] {
  return define(name, ['string', textOrNumber, textOrNumber], (pattern, value, replacement) => {
    const expression = recentRegex(pattern);
    if ('error' in expression) return functionFailure(name, expression.error);
    return expression[replace](scalarText(value), scalarText(replacement));
  });
}

function toBoolean(value: string): unknown {
  const word = lower(value);
  if (word === 'true') return true;
  if (word === 'false') return false;
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
