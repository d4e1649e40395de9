import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from './local/paths.ts';
import { matchesName, type NamePattern, parseNamePattern } from './name-pattern.ts';

/** Whether a path has wildcards, for shells that leave them to programs. */
export function isGlob(path: string): boolean {
  return /[*?{[]/.test(path);
}

/**
 * Returns the files and folders that match a pattern, sorted: `*`, `?` and `[…]` within a name, `{a,b}`, and `**` for any
 * number of folders. Names that begin with a dot match only a pattern that begins with one.
 *
 * @param isEntered whether a folder may be looked into; default all
 * @throws Error for a pattern whose braces have too many alternatives
 */
export function expandGlob(
  pattern: string,
  isEntered: (folder: string) => boolean = () => true,
): string[] {
  const found = new Set<string>();
  for (const alternative of expandBraces(pattern)) {
    const segments = alternative.split(/[\\/]+/);
    const isAbsolute = segments[0] === '' && segments.length > 1;
    const rest = segments.filter((segment, i) => segment !== '' || (i === 0 && !isAbsolute));
    new Walk(rest.map(parseSegment), found, isEntered).visit(isAbsolute ? '/' : '', 0);
  }
  return [...found].sort();
}

/** One name of a pattern. */
type Segment =
  | { readonly kind: 'fixed'; readonly name: '.' | '..' }
  | { readonly kind: 'folders' }
  | { readonly kind: 'name'; readonly pattern: NamePattern; readonly showsHidden: boolean };

function parseSegment(text: string): Segment {
  if (text === '.' || text === '..') return { kind: 'fixed', name: text };
  if (text === '**') return { kind: 'folders' };
  return { kind: 'name', pattern: parseNamePattern(text), showsHidden: text.startsWith('.') };
}

/** Finds the paths that the segments of a pattern match. */
class Walk {
  readonly #segments: readonly Segment[];
  readonly #found: Set<string>;
  readonly #isEntered: (folder: string) => boolean;
  /** The folders that each segment was tried in, by real path: links may lead to one folder in many ways. */
  readonly #seen = new Set<string>();

  constructor(
    segments: readonly Segment[],
    found: Set<string>,
    isEntered: (folder: string) => boolean,
  ) {
    this.#segments = segments;
    this.#found = found;
    this.#isEntered = isEntered;
  }

  /** Matches the segments from `index` on in a folder. */
  visit(folder: string, index: number): void {
    const segment = this.#segments[index];
    if (segment === undefined) {
      if (folder !== '') this.#found.add(folder);
    } else if (segment.kind === 'fixed') this.visit(join(folder, segment.name), index + 1);
    else if (this.#isNew(folder, index) && this.#isEntered(folder === '' ? '.' : folder)) {
      if (segment.kind === 'folders') this.#visitBelow(folder, index);
      else this.#visitNames(folder, segment, index);
    }
  }

  #isNew(folder: string, index: number): boolean {
    const key = `${index} ${realPath(folder === '' ? '.' : folder) ?? folder}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  #visitBelow(folder: string, index: number): void {
    // At the end of a pattern a folder stands for everything in it.
    if (index + 1 === this.#segments.length) {
      this.#found.add(folder === '' ? '.' : folder);
      return;
    }
    this.visit(folder, index + 1);
    for (const { name, isFolder } of entriesOf(folder)) {
      if (isFolder && !name.startsWith('.')) this.visit(join(folder, name), index);
    }
  }

  #visitNames(
    folder: string,
    { pattern, showsHidden }: Extract<Segment, { kind: 'name' }>,
    index: number,
  ): void {
    const isLast = index + 1 === this.#segments.length;
    for (const { name, isFolder } of entriesOf(folder)) {
      if (!isFolder && !isLast) continue;
      if (name.startsWith('.') && !showsHidden) continue;
      if (matchesName(pattern, name)) this.visit(join(folder, name), index + 1);
    }
  }
}

function entriesOf(folder: string): { name: string; isFolder: boolean }[] {
  try {
    const entries = readdirSync(folder === '' ? '.' : folder, { withFileTypes: true });
    return entries.map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory() || entry.isSymbolicLink(),
    }));
  } catch {
    return [];
  }
}

const mostAlternatives = 1000;

/** Returns the patterns that `{a,b}` stands for, the innermost first. */
function expandBraces(pattern: string): string[] {
  const expanded: string[] = [];
  const open = [pattern];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const braces = [...each.matchAll(/\{[^{}]*\}/g)].find(([text]) => text.includes(','));
    if (braces === undefined) {
      expanded.push(each);
      continue;
    }
    const [text] = braces;
    const before = each.slice(0, braces.index);
    const after = each.slice(braces.index + text.length);
    for (const choice of text.slice(1, -1).split(',')) open.push(before + choice + after);
    if (open.length + expanded.length > mostAlternatives) {
      throw new Error(
        `the braces of this pattern expand to more than ${mostAlternatives} alternatives`,
      );
    }
  }
  return expanded;
}
