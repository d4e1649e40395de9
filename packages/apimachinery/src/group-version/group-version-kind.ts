import { parseGroupVersion } from './group-version.ts';

/** A kind of one API version, such as `apps/v1 Deployment` (apimachinery `schema.GroupVersionKind`). */
export interface GroupVersionKind {
  /** Empty for the core group. */
  readonly group: string;
  /** Such as `v1`. */
  readonly version: string;
  /** Such as `Deployment`. */
  readonly kind: string;
}

/**
 * The kind that `apiVersion` and `kind` of an object name (apimachinery `schema.FromAPIVersionAndKind`).
 *
 * Group and version are empty when `apiVersion` cannot be parsed.
 */
export function groupVersionKindOf(apiVersion: string, kind: string): GroupVersionKind {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: '' };
  return { group, version, kind };
}

/** Formats a kind with its version as Go prints it: `apps/v1, Kind=Deployment`. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** Whether two kinds are the same, their versions included. */
export function sameKind(left: GroupVersionKind, right: GroupVersionKind): boolean {
  return left.kind === right.kind && left.version === right.version && left.group === right.group;
}
