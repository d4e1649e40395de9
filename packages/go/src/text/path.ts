/** A slash-separated path in its shortest form (Go's `path.Clean`); the empty path is `.`. */
function cleanPath(path: string): string {
  const isRooted = path.startsWith('/');
  const kept: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isRooted) kept.push(part);
  }
  return (isRooted ? '/' : '') + kept.join('/') || '.';
}

/** Paths joined with slashes and cleaned, empty ones left out; nothing but empty paths gives an empty one. */
export function joinPaths(...paths: readonly string[]): string {
  const present = paths.filter((path) => path !== '');
  return present.length === 0 ? '' : cleanPath(present.join('/'));
}
