import { quote } from '@kubeadmit/go';
import type { ParseError } from '../errors/parse-error.ts';
import { parseSemver } from './parse-semver.ts';
import { compareSemver, type Semver } from './semver.ts';

export type VersionRange = (version: Semver) => boolean;

const comparators: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ['', (order) => order === 0],
  ['=', (order) => order === 0],
  ['==', (order) => order === 0],
  ['!', (order) => order !== 0],
  ['!=', (order) => order !== 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
]);

/** Parses a range such as `>=1.2.x <2.0.0 || 3.x` as semver.ParseRange of github.com/blang/semver v4. */
export function parseVersionRange(text: string): VersionRange | ParseError {
  const range = readRange(text);
  return typeof range === 'string' ? { error: range } : range;
}

/** The range, or the error. */
function readRange(text: string): VersionRange | string {
  const alternatives = splitAlternatives(splitParts(text));
  if (typeof alternatives === 'string') return alternatives;
  const ranges: VersionRange[][] = [];
  const expanded: string[][] = [];
  for (const parts of alternatives) {
    const all: string[] = [];
    for (const part of parts) {
      if (!part.includes('x')) {
        all.push(part);
        continue;
      }
      const split = splitComparator(part);
      if (typeof split === 'string') return split;
      all.push(...expandWildcard(...split));
    }
    expanded.push(all);
  }
  for (const parts of expanded) {
    const all: VersionRange[] = [];
    for (const part of parts) {
      const range = readComparison(part);
      if (typeof range === 'string') return range;
      all.push(range);
    }
    ranges.push(all);
  }
  return (version) => ranges.some((all) => all.every((range) => range(version)));
}

/** Splits at spaces, except after a comparator; parts of one character are lost. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let last = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === ' ' && !'<>='.includes(last || ' ')) {
      if (isLong(text.slice(start, at))) parts.push(text.slice(start, at));
      start = at + 1;
    } else if (character !== ' ') {
      last = character;
    }
  }
  if (isLong(text.slice(start))) parts.push(text.slice(start));
  return parts.map((part) => part.replaceAll(' ', ''));
}

/** Whether a part has more than one byte. */
function isLong(part: string): boolean {
  return part.length > 1 || part > '\u007f';
}

function splitAlternatives(parts: readonly string[]): string[][] | string {
  const alternatives: string[][] = [];
  let start = 0;
  for (const [at, part] of parts.entries()) {
    if (part !== '||') continue;
    if (at === 0) return "First element in range is '||'";
    alternatives.push(parts.slice(start, at));
    start = at + 1;
  }
  if (start === parts.length) return "Last element in range is '||'";
  alternatives.push(parts.slice(start));
  return alternatives;
}

function splitComparator(part: string): [string, string] | string {
  const at = part.search(/\p{Nd}/u);
  if (at < 0) return `Could not get version from string: ${quote(part)}`;
  return [part.slice(0, at).trim(), part.slice(at)];
}

function readComparison(part: string): VersionRange | string {
  const split = splitComparator(part);
  if (typeof split === 'string') return split;
  const [operator, text] = split;
  const whole = quote(operator + text);
  const prefix = `Could not parse Range ${quote(part)}`;
  const comparator = comparators.get(operator);
  if (comparator === undefined) {
    return `${prefix}: Could not parse comparator ${quote(operator)} in ${whole}`;
  }
  const bound = parseSemver(text);
  if ('error' in bound) {
    return `${prefix}: Could not parse version ${quote(text)} in ${whole}: ${bound.error}`;
  }
  return (version) => comparator(compareSemver(version, bound));
}

/** The comparisons without `x` that a comparison with it stands for. */
function expandWildcard(operator: string, text: string): string[] {
  const parts = text.split('.');
  const place = parts.at(-1) === 'x' ? parts.length : 0;
  const flat = flatten(text);
  const next = (): string => increment(flat, place);
  switch (operator) {
    case '>':
      return [`>=${next()}`];
    case '>=':
      return [`>=${flat}`];
    case '<':
      return [`<${flat}`];
    case '<=':
      return [`<${next()}`];
    case '':
    case '=':
    case '==':
      return [`>=${flat}`, `<${next()}`];
    case '!':
    case '!=':
      return [`<${flat}`, `>=${next()}`];
    default:
      return [flat];
  }
}

function flatten(text: string): string {
  const flat = text.replace('.x.x', '.x').replace('.x', '.0');
  return flat.split('.').length === 2 ? `${flat}.0` : flat;
}

/** The version after all that the `x` at the third or second place covers. */
function increment(flat: string, place: number): string {
  if (place !== 2 && place !== 3) return '';
  const parts = flat.split('.');
  const at = place - 2;
  const number = parts[at] ?? '';
  if (!/^[+-]?\d+$/.test(number)) return '';
  parts[at] = String(BigInt(number) + 1n);
  return parts.join('.');
}
