import { dirname, normalize } from 'node:path';

/** Returns the part of a path before the first wildcard character, or the complete path if it has none. */
export function fixedPart(path: string): string {
  return path.split(/[*?[{]/, 1)[0] ?? '';
}

/** Returns the path to watch: the path itself, or the folder that contains all matches of a pattern. */
export function watchedPlace(path: string): string {
  const fixed = fixedPart(path);
  return normalize(fixed === path ? path : dirname(`${fixed}.`));
}
