import { parseGroupVersion } from './group-version.ts';

/** A kind of an API group, whatever its version (apimachinery `schema.GroupKind`). */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A kind of one API version, such as `apps/v1 Deployment` (apimachinery `schema.GroupVersionKind`). */
export interface GroupVersionKind extends GroupKind {
  readonly version: string;
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

/** Formats a kind with its group as Go prints it: `Pod`, `Deployment.apps`. */
export function formatGroupKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** Whether two kinds are the same, their versions included. */
export function sameKind(left: GroupVersionKind, right: GroupVersionKind): boolean {
  return left.kind === right.kind && left.version === right.version && left.group === right.group;
}
