import { parseGroupVersion } from '@kubeadmit/apimachinery';
import { groups, imports, kinds, resources } from '../data/catalog.ts';
import { versions } from '../data/versions.ts';
import { LineTable } from '../types/line-table.ts';
import type { Resource, Subresource } from './names.ts';

/** The minor versions that an entry of the catalog holds for; absent means all. */
type Minors = readonly number[];

type GroupRow = readonly [group: string, versions: readonly string[], of?: Minors];

type KindRow = readonly [kind: string, type: string, published: 0 | 1, of?: Minors];

type ResourceRow = Omit<Resource, 'shortNames' | 'categories' | 'subresources'> & {
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources: readonly (Omit<Subresource, 'connect'> & { readonly connect?: boolean })[];
};

type Imports = Readonly<Record<string, readonly string[]>>;

/** A built-in kind and the Go struct that holds it. */
export interface BuiltinKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Short name of the struct, such as `core.v1.Pod`. */
  readonly type: string;
  /** False where the OpenAPI document of the group/version lacks the kind, so that it cannot be merged. */
  readonly published: boolean;
}

/** API groups of a minor version in the server's order, each with its versions, the preferred one first. */
export function groupsOf(minor: number): (readonly [string, readonly string[]])[] {
  const rows = JSON.parse(groups) as readonly GroupRow[];
  return rows
    .filter(([, , of]) => !of || of.includes(minor))
    .map(([group, served]) => [group, served]);
}

/** Built-in resources of a minor version. */
export function resourcesOf(minor: number): Resource[] {
  const rows = JSON.parse(resources) as readonly (readonly [row: ResourceRow, of?: Minors])[];
  return rows
    .filter(([, of]) => !of || of.includes(minor))
    .map(([row]) => ({
      ...row,
      shortNames: row.shortNames ?? [],
      categories: row.categories ?? [],
      subresources: row.subresources.map((sub) => ({ ...sub, connect: sub.connect ?? false })),
    }));
}

let kindTable: LineTable | undefined;

/** The rows of a group/version, those of all versions. */
function kindRows(apiVersion: string): readonly KindRow[] {
  kindTable ??= new LineTable(kinds);
  return (kindTable.get(apiVersion) as readonly KindRow[] | undefined) ?? [];
}

/** The group/versions, such as `apps/v1`, of the built-in kinds of all versions. */
export function groupVersionsOfKinds(): Iterable<string> {
  kindTable ??= new LineTable(kinds);
  return kindTable.names;
}

/** Group/versions that kube-apiserver still reads and converts where it no longer serves them (asked of 1.37's scheme). */
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
  const named = parseGroupVersion(apiVersion);
  if (!named) return [];
  const { group, version } = named;
  const isRead = (of: readonly number[]): boolean =>
    of.includes(minor) || (readUnserved.has(apiVersion) && Math.max(...of) < minor);
  return kindRows(apiVersion)
    .filter(([, , , of]) => !of || isRead(of))
    .map(([kind, type, published]) => ({
      group,
      version,
      kind,
      type,
      published: published === 1,
    }));
}

/** Where a kind exists: Kubernetes minor versions (the newest first) by API version. */
export function homesOf(
  kind: string,
  group: string | undefined,
): ReadonlyMap<string, readonly number[]> {
  const homes = new Map<string, readonly number[]>();
  const all = versions.map(([minor]) => minor);
  for (const apiVersion of groupVersionsOfKinds()) {
    if (group !== undefined && parseGroupVersion(apiVersion)?.group !== group) continue;
    const rows = kindRows(apiVersion).filter(([name]) => name === kind);
    const minors = rows.flatMap(([, , , of]) => of ?? all).sort((a, b) => b - a);
    if (rows.length > 0) homes.set(apiVersion, [...new Set(minors)]);
  }
  return homes;
}

let importTable: Imports | undefined;

/** The Go packages that hold the structs of a Go package, itself included. */
export function packagesFor(owner: string): readonly string[] {
  importTable ??= JSON.parse(imports) as Imports;
  return [owner, ...(Object.hasOwn(importTable, owner) ? (importTable[owner] ?? []) : [])];
}
