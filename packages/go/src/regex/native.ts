import type { CharacterSet } from './character-set.ts';
import { isLinear } from './effort.ts';
import { type Pattern, readPattern } from './pattern.ts';

/**
 * The longest text, in UTF-16 units, that is to be matched by native expressions: engines keep a list
 * of what they have not tried yet, which may not grow without limit.
 */
export const longestNativeText = 32_768;

/**
 * A regular expression of JavaScript that matches the same texts as one of RE2, in linear time too;
 * `undefined` where there may be none. What it finds within a text is not the same.
 */
export function nativeRegex(pattern: string): RegExp | undefined {
  const read = pattern.length <= longestPattern ? readPattern(pattern) : undefined;
  const needed = read && withoutLooseEnds(read);
  return needed !== undefined && isLinear(needed) ? new RegExp(source(needed), 'u') : undefined;
}

/**
 * A regular expression of JavaScript that finds the same matches as one of RE2, each from `lastIndex` on and in time
 * linear in what is left of the text; `undefined` where there may be none.
 */
export function nativeFinder(pattern: string): RegExp | undefined {
  const read = pattern.length <= longestPattern ? readPattern(pattern) : undefined;
  return read !== undefined && isLinear(read) ? new RegExp(source(read), 'gu') : undefined;
}

const longestPattern = 500;

/** Any number of characters at the very beginning or end are there whenever the fewest of them are. */
function withoutLooseEnds(pattern: Pattern): Pattern {
  if (pattern.kind !== 'sequence') return pattern;
  const lastIndex = pattern.parts.length - 1;
  const parts = pattern.parts.map((part, index) =>
    part.kind === 'repeat' && part.part.kind === 'set' && (index === 0 || index === lastIndex)
      ? { ...part, most: part.least }
      : part,
  );
  return { kind: 'sequence', parts };
}

// Not `$`: V8 14.6 (Node 26) has `/[^a]$/u` not match `é😀`.
const end = '(?![^])';

function source(pattern: Pattern): string {
  switch (pattern.kind) {
    case 'set':
      return setSource(pattern.set);
    case 'edge':
      return pattern.isEnd ? end : '^';
    case 'sequence':
      return pattern.parts.map(source).join('');
    case 'choice':
      return `(?:${pattern.options.map(source).join('|')})`;
    default: {
      const { least, most, isLazy } = pattern;
      const to = most === Number.POSITIVE_INFINITY ? '' : most;
      return `(?:${source(pattern.part)}){${least},${to}}${isLazy ? '?' : ''}`;
    }
  }
}

function setSource(set: CharacterSet): string {
  const [from = 0, to = 0] = set;
  if (set.length === 2 && from === to) return character(from);
  const ranges: string[] = [];
  for (let index = 0; index < set.length; index += 2) {
    ranges.push(`${character(set[index] ?? 0)}-${character(set[index + 1] ?? 0)}`);
  }
  return `[${ranges.join('')}]`;
}

function character(code: number): string {
  return `\\u{${code.toString(16)}}`;
}
