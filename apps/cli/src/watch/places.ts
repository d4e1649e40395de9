import { dirname, normalize } from 'node:path';

/** What stands in a path before the first character of a pattern; the path itself where it is none. */
export function fixedPart(path: string): string {
  return path.split(/[*?[{]/, 1)[0] ?? '';
}

/** What has to be watched for a path: the path itself, or the folder that all names of a pattern lie in. */
export function watchedPlace(path: string): string {
  const fixed = fixedPart(path);
  return normalize(fixed === path ? path : dirname(`${fixed}.`));
}
