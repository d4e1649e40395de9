import { formatGroupVersion, parseGroupVersion } from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import { groups, groupVersions } from '../data/catalog.ts';
import { versions } from '../data/versions.ts';
import { LineTable } from '../types/line-table.ts';
import type { Resource } from './names.ts';
import {
  type BuiltinKind,
  isOf,
  type Lifetime,
  type PackedGroupVersion,
  servedGroups,
  unpackKinds,
  unpackResource,
} from './packed-catalog.ts';

const lineTable = lazily(() => new LineTable(groupVersions));
const parsed = new Map<string, PackedGroupVersion>();

function packed(apiVersion: string): PackedGroupVersion | undefined {
  const known = parsed.get(apiVersion);
  if (known) return known;
  const found = lineTable().get(apiVersion) as PackedGroupVersion | undefined;
  if (found) parsed.set(apiVersion, found);
  return found;
}

/** The group/versions, such as `apps/v1`, of the built-in kinds of all versions, those of a group in the server's order. */
export function groupVersionsOfKinds(): Iterable<string> {
  return lineTable().names;
}

/** API groups of a minor version in the server's order, each with its versions, the preferred one first. */
export function groupsOf(minor: number): (readonly [string, readonly string[]])[] {
  const all = [...groupVersionsOfKinds()].flatMap((apiVersion) => {
    const found = packed(apiVersion);
    return found === undefined ? [] : [[apiVersion, found] as const];
  });
  return servedGroups(JSON.parse(groups), all, minor);
}

/** Built-in resources of a minor version, in the server's order of groups. */
export function resourcesOf(minor: number): Resource[] {
  return groupsOf(minor).flatMap(([group, served]) =>
    served.flatMap((version) => {
      const resources = packed(formatGroupVersion({ group, version }))?.resources ?? [];
      return resources
        .filter((row) => isOf(minor, row))
        .map((row) => unpackResource(group, version, row));
    }),
  );
}

function kindRows(apiVersion: string): readonly (BuiltinKind & Lifetime)[] {
  const found = packed(apiVersion);
  return found === undefined ? [] : unpackKinds(apiVersion, found);
}

/**
 * Group/versions that kube-apiserver still reads and converts although it no longer serves them (from the scheme of
 * 1.37).
 */
const readUnserved: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/v1alpha1',
  'admissionregistration.k8s.io/v1beta1',
  'authentication.k8s.io/v1alpha1',
  'authentication.k8s.io/v1beta1',
  'flowcontrol.apiserver.k8s.io/v1beta3',
  'networking.k8s.io/v1beta1',
  'storage.k8s.io/v1alpha1',
  'storage.k8s.io/v1beta1',
]);

/** Built-in kinds of a group/version that a minor version serves, or reads though it serves them no more. */
export function kindsOf(apiVersion: string, minor: number): BuiltinKind[] {
  const isRead = readUnserved.has(apiVersion);
  return kindRows(apiVersion)
    .filter((row) => isOf(minor, row) || (isRead && (row.until ?? minor) < minor))
    .map(({ since, until, ...kind }) => kind);
}

/** Where a kind exists: Kubernetes minor versions (the newest first) by API version. */
export function homesOf(
  kind: string,
  group: string | undefined,
): ReadonlyMap<string, readonly number[]> {
  const homes = new Map<string, readonly number[]>();
  const all = versions.map(([minor]) => minor).sort((a, b) => b - a);
  for (const apiVersion of groupVersionsOfKinds()) {
    if (group !== undefined && parseGroupVersion(apiVersion)?.group !== group) continue;
    const rows = kindRows(apiVersion).filter((row) => row.kind === kind);
    if (rows.length === 0) continue;
    homes.set(
      apiVersion,
      all.filter((minor) => rows.some((row) => isOf(minor, row))),
    );
  }
  return homes;
}

/** The Go packages that hold the structs of a group/version. */
export function packagesFor(apiVersion: string): readonly string[] {
  return packed(apiVersion)?.packages ?? [];
}
