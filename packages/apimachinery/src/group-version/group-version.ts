/** A version of an API group; the core group is empty (apimachinery `schema.GroupVersion`). */
export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  /** Such as `v1`. */
  readonly version: string;
}

/**
 * Parses an `apiVersion` such as `apps/v1` or `v1` (apimachinery `schema.ParseGroupVersion`).
 *
 * The empty string and `/` give an empty group and version; undefined with more than one slash,
 * which kube-apiserver calls an `unexpected GroupVersion string`.
 */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  if (apiVersion.includes('/', slash + 1)) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Formats an `apiVersion`: `apps/v1`, and `v1` for the core group. */
export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}
