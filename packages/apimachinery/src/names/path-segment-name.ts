/**
 * Returns the reasons why a name cannot be one segment of a URL path (apimachinery `path.IsValidPathSegmentName`);
 * an empty list if it can.
 */
export function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return pathSegmentPrefixProblems(name);
}

/**
 * Returns the reasons why a string cannot start a segment of a URL path (apimachinery
 * `path.IsValidPathSegmentPrefix`); an empty list if it can.
 */
export function pathSegmentPrefixProblems(prefix: string): string[] {
  return ['/', '%']
    .filter((part) => prefix.includes(part))
    .map((part) => `may not contain '${part}'`);
}
