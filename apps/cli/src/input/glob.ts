import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a path has wildcards, for shells that leave them to programs. */
export function isGlob(path: string): boolean {
  return /[*?{[]/.test(path);
}

/**
 * The files and folders that a pattern names, sorted: `*` and `?` within a name, `[…]`, `{a,b}`, and `**`
 * for any number of folders. Names that begin with a dot must be named with it.
 */
export function expandGlob(pattern: string): string[] {
  const found = new Set<string>();
  for (const alternative of expandBraces(pattern)) {
    const segments = alternative.split(/[\\/]+/);
    const isAbsolute = segments[0] === '' && segments.length > 1;
    const rest = segments.filter((segment, i) => segment !== '' || (i === 0 && !isAbsolute));
    for (const path of matches(isAbsolute ? '/' : '', rest)) found.add(path);
  }
  return [...found].sort();
}

function matches(folder: string, segments: readonly string[]): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return folder === '' ? [] : [folder];
  if (segment === '.' || segment === '..') return matches(join(folder, segment), rest);
  const entries = entriesOf(folder);
  if (segment === '**') {
    // A folder stands for all that is in it.
    if (rest.length === 0) return [folder === '' ? '.' : folder];
    const below = entries.filter(({ name, isFolder }) => isFolder && !name.startsWith('.'));
    const deeper = below.flatMap(({ name }) => matches(join(folder, name), segments));
    return [...matches(folder, rest), ...deeper];
  }
  const regex = segmentRegex(segment);
  const fitting = entries.filter(
    ({ name, isFolder }) =>
      regex.test(name) &&
      (isFolder || rest.length === 0) &&
      (segment.startsWith('.') || !name.startsWith('.')),
  );
  return fitting.flatMap(({ name }) => matches(join(folder, name), rest));
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

/** Matches the name of a file or folder: `*`, `?` and `[…]` as in patterns. */
export function segmentRegex(segment: string): RegExp {
  const source = segment.replaceAll(/\*+|\?|\[[^\]]+\]|[.+^${}()|\\[\]]/g, (found) => {
    if (found.startsWith('*')) return '.*';
    if (found === '?') return '.';
    return found.length > 1 ? found.replace(/^\[!/, '[^') : `\\${found}`;
  });
  return new RegExp(`^${source}$`, 'su');
}

/** The patterns of `{a,b}`, the innermost first. */
function expandBraces(pattern: string): string[] {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (found === null) return [pattern];
  const before = pattern.slice(0, found.index);
  const after = pattern.slice(found.index + found[0].length);
  return (found[1] ?? '').split(',').flatMap((each) => expandBraces(before + each + after));
}
