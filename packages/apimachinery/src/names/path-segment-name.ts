/**
 * What keeps a name from being one segment of the path of a URL (apimachinery
 * `path.IsValidPathSegmentName`); empty when nothing does.
 */
export function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return pathSegmentPrefixProblems(name);
}

/**
 * What keeps a string from being the start of a segment of the path of a URL (apimachinery
 * `path.IsValidPathSegmentPrefix`); empty when nothing does.
 */
export function pathSegmentPrefixProblems(prefix: string): string[] {
  return ['/', '%']
    .filter((part) => prefix.includes(part))
    .map((part) => `may not contain '${part}'`);
}
