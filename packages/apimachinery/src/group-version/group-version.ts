import { describeValue, hasMembers } from '@kubeadmit/base';
import { cut } from '@kubeadmit/go';

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
 * The empty string and `/` give an empty group and version. Returns `undefined` for more than one slash, which
 * kube-apiserver calls an `unexpected GroupVersion string`.
 */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const [group, version] = cut(apiVersion, '/');
  if (version === undefined) return { group: '', version: apiVersion };
  return version.includes('/') ? undefined : { group, version };
}

const noGroupVersion: Partial<GroupVersion> = {};

/**
 * Formats an `apiVersion`: `apps/v1`, and `v1` for the core group.
 *
 * @throws TypeError for a value without group and version
 */
export function formatGroupVersion(groupVersion: GroupVersion): string {
  const { group, version } = hasMembers(groupVersion) ? groupVersion : noGroupVersion;
  if (typeof group !== 'string' || typeof version !== 'string') {
    const given = describeValue(groupVersion);
    throw new TypeError(
      `formatGroupVersion expects \`{ group, version }\` of strings, not ${given}`,
    );
  }
  return group === '' ? version : `${group}/${version}`;
}
