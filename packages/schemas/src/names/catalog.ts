import { text } from '../data/catalog.ts';
import { versions } from '../data/versions.ts';
import type { Resource, Subresource } from './names.ts';

/** The minor versions that an entry of the catalog holds for; absent means all. */
type Minors = readonly number[];

interface Catalog {
  readonly groups: readonly (readonly [group: string, versions: readonly string[], of?: Minors])[];
  readonly resources: readonly (readonly [row: ResourceRow, of?: Minors])[];
  readonly kinds: readonly KindEntry[];
  readonly imports: Readonly<Record<string, readonly string[]>>;
}

type KindEntry = readonly [
  group: string,
  version: string,
  kind: string,
  type: string,
  published: 0 | 1,
  of?: Minors,
];

type ResourceRow = Omit<Resource, 'shortNames' | 'categories' | 'subresources'> & {
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources: readonly (Omit<Subresource, 'connect'> & { readonly connect?: boolean })[];
};

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

let parsed: Catalog | undefined;

function catalog(): Catalog {
  parsed ??= JSON.parse(text) as Catalog;
  return parsed;
}

/** API groups of a minor version in the server's order, each with its versions, the preferred one first. */
export function groupsOf(minor: number): (readonly [string, readonly string[]])[] {
  return catalog()
    .groups.filter(([, , of]) => !of || of.includes(minor))
    .map(([group, versions]) => [group, versions]);
}

/** Built-in resources of a minor version. */
export function resourcesOf(minor: number): Resource[] {
  return catalog()
    .resources.filter(([, of]) => !of || of.includes(minor))
    .map(([row]) => ({
      ...row,
      shortNames: row.shortNames ?? [],
      categories: row.categories ?? [],
      subresources: row.subresources.map((sub) => ({ ...sub, connect: sub.connect ?? false })),
    }));
}

/** Built-in kinds of a minor version. */
export function kindsOf(minor: number): BuiltinKind[] {
  return catalog()
    .kinds.filter((row) => !row[5] || row[5].includes(minor))
    .map(toKind);
}

function toKind([group, version, kind, type, published]: KindEntry): BuiltinKind {
  return { group, version, kind, type, published: published === 1 };
}

/** Where a kind exists: Kubernetes minor versions (the newest first) by API version. */
export function homesOf(
  kind: string,
  group: string | undefined,
): ReadonlyMap<string, readonly number[]> {
  const homes = new Map<string, readonly number[]>();
  const all = versions.map(([minor]) => minor);
  for (const [own, version, name, , , of] of catalog().kinds) {
    if (name !== kind || (group !== undefined && own !== group)) continue;
    const key = own === '' ? version : `${own}/${version}`;
    const minors = [...(homes.get(key) ?? []), ...(of ?? all)].sort((a, b) => b - a);
    homes.set(key, [...new Set(minors)]);
  }
  return homes;
}

/** The Go packages that hold the structs of a Go package, itself included. */
export function packagesFor(owner: string): readonly string[] {
  const { imports } = catalog();
  return [owner, ...(Object.hasOwn(imports, owner) ? (imports[owner] ?? []) : [])];
}
