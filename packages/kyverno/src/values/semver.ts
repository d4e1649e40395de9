import { compareText } from './order.ts';
import { quoteGo } from './quote.ts';

/** A semantic version without its build metadata, which does not count. */
export interface Version {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly (bigint | string)[];
}

/** Whether a version is in a range. */
export type VersionRange = (version: Version) => boolean;

/** The version that stands for one that cannot be read. */
export const zeroVersion: Version = { numbers: [0n, 0n, 0n], prerelease: [] };

/** Reads a semantic version with the error texts of blang/semver, given as a string. */
function readVersion(text: string): Version | string {
  if (text === '') return 'Version string empty';
  const [major = '', minor, ...others] = text.split('.');
  if (minor === undefined || others.length === 0) return 'No Major.Minor.Patch elements found';
  const rest = others.join('.');
  const [beforeBuild = '', ...builds] = splitOnce(rest, '+');
  const [patch = '', ...prereleases] = splitOnce(beforeBuild, '-');
  const parts: readonly (readonly [string, string])[] = [
    ['major', major],
    ['minor', minor],
    ['patch', patch],
  ];
  for (const [name, digits] of parts) {
    const problem = numberProblem(name, digits);
    if (problem !== undefined) return problem;
  }
  const prerelease: (bigint | string)[] = [];
  for (const part of (prereleases[0] ?? '').split('.')) {
    if (prereleases.length === 0) break;
    const read = readPrerelease(part);
    if (typeof read === 'object') return read.error;
    prerelease.push(read);
  }
  for (const part of builds.length === 0 ? [] : (builds[0] ?? '').split('.')) {
    if (part === '') return 'Build meta data is empty';
    if (!/^[0-9A-Za-z-]+$/.test(part)) {
      return `Invalid character(s) found in build meta data ${quoteGo(part)}`;
    }
  }
  return { numbers: [BigInt(major), BigInt(minor), BigInt(patch)], prerelease };
}

/** The version that a text is, or undefined. */
export function parseVersion(text: string): Version | undefined {
  if (!/^\d/.test(text)) return undefined;
  const version = readVersion(text);
  return typeof version === 'string' ? undefined : version;
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function numberProblem(name: string, digits: string): string | undefined {
  if (!/^\d*$/.test(digits))
    return `Invalid character(s) found in ${name} number ${quoteGo(digits)}`;
  if (/^0./.test(digits)) {
    return `${name[0]?.toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${quoteGo(digits)}`;
  }
  return unsignedProblem(digits);
}

function unsignedProblem(digits: string): string | undefined {
  const parsing = `strconv.ParseUint: parsing ${quoteGo(digits)}`;
  if (digits === '') return `${parsing}: invalid syntax`;
  return BigInt(digits) >= 2n ** 64n ? `${parsing}: value out of range` : undefined;
}

function readPrerelease(part: string): bigint | string | { error: string } {
  if (part === '') return { error: 'Prerelease is empty' };
  if (/^\d+$/.test(part)) {
    if (/^0./.test(part)) {
      return {
        error: `Numeric PreRelease version must not contain leading zeroes ${quoteGo(part)}`,
      };
    }
    const problem = unsignedProblem(part);
    return problem === undefined ? BigInt(part) : { error: problem };
  }
  if (/^[0-9A-Za-z-]+$/.test(part)) return part;
  return { error: `Invalid character(s) found in prerelease ${quoteGo(part)}` };
}

/** How two versions compare: negative, zero or positive. */
export function compareVersions(left: Version, right: Version): number {
  for (const at of [0, 1, 2] as const) {
    if (left.numbers[at] !== right.numbers[at])
      return left.numbers[at] > right.numbers[at] ? 1 : -1;
  }
  const [a, b] = [left.prerelease, right.prerelease];
  if (a.length === 0 || b.length === 0) return b.length === a.length ? 0 : a.length === 0 ? 1 : -1;
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = comparePrereleases(part, other);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

function comparePrereleases(left: bigint | string, right: bigint | string): number {
  if (typeof left === 'string') return typeof right === 'string' ? compareText(left, right) : 1;
  if (typeof right === 'string') return -1;
  return left < right ? -1 : left > right ? 1 : 0;
}

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

/** Reads a range such as `>=1.2.x <2.0.0 || 3.x` with the error texts of blang/semver, given as a string. */
export function readVersionRange(text: string): VersionRange | string {
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
  if (at < 0) return `Could not get version from string: ${quoteGo(part)}`;
  return [part.slice(0, at).trim(), part.slice(at)];
}

function readComparison(part: string): VersionRange | string {
  const split = splitComparator(part);
  if (typeof split === 'string') return split;
  const [operator, text] = split;
  const whole = quoteGo(operator + text);
  const prefix = `Could not parse Range ${quoteGo(part)}`;
  const comparator = comparators.get(operator);
  if (comparator === undefined) {
    return `${prefix}: Could not parse comparator ${quoteGo(operator)} in ${whole}`;
  }
  const bound = readVersion(text);
  if (typeof bound === 'string') {
    return `${prefix}: Could not parse version ${quoteGo(text)} in ${whole}: ${bound}`;
  }
  return (version) => comparator(compareVersions(version, bound));
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
