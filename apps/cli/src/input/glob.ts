import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a path has wildcards, for shells that leave them to programs. */
export function isGlob(path: string): boolean {
  return /[*?{[]/.test(path);
}

/**
 * The files and folders that a pattern names, sorted: `*` and `?` within a name, `[…]`, `{a,b}`, and `**`
 * for any number of folders. Names that begin with a dot must be named with it.
 */
export async function expandGlob(pattern: string): Promise<string[]> {
  const found = new Set<string>();
  for (const alternative of expandBraces(pattern)) {
    const segments = alternative.split(/[\\/]+/);
    const isAbsolute = segments[0] === '' && segments.length > 1;
    const rest = segments.filter((segment, i) => segment !== '' || (i === 0 && !isAbsolute));
    for (const path of await matches(isAbsolute ? '/' : '', rest)) found.add(path);
  }
  return [...found].sort();
}

async function matches(folder: string, segments: readonly string[]): Promise<string[]> {
  const [segment, ...rest] = segments;
  if (segment === undefined) return folder === '' ? [] : [folder];
  if (segment === '.' || segment === '..') return matches(join(folder, segment), rest);
  const entries = await entriesOf(folder);
  if (segment === '**') {
    // A folder stands for all that is in it.
    if (rest.length === 0) return [folder === '' ? '.' : folder];
    const below = entries.filter(({ name, isFolder }) => isFolder && !name.startsWith('.'));
    const deeper = below.map(({ name }) => matches(join(folder, name), segments));
    return [...(await matches(folder, rest)), ...(await Promise.all(deeper)).flat()];
  }
  const regex = segmentRegex(segment);
  const fitting = entries.filter(
    ({ name, isFolder }) =>
      regex.test(name) &&
      (isFolder || rest.length === 0) &&
      (segment.startsWith('.') || !name.startsWith('.')),
  );
  const found = await Promise.all(fitting.map(({ name }) => matches(join(folder, name), rest)));
  return found.flat();
}

async function entriesOf(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  try {
    const entries = await readdir(folder === '' ? '.' : folder, { withFileTypes: true });
    return entries.map((entry) => ({
      name: entry.name,
      isFolder: entry.isDirectory() || entry.isSymbolicLink(),
    }));
  } catch {
    return [];
  }
}

function segmentRegex(segment: string): RegExp {
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
