import { parseGroupVersion } from '@kubeadmit/apimachinery';
import type { Resource, Subresource } from './names.ts';

/** The Kubernetes versions that have something; each end is absent where it is that of the data. */
export interface Lifetime {
  /** The first minor version. */
  readonly since?: number | undefined;
  /** The last one. */
  readonly until?: number | undefined;
}

/**
 * The stored form of one group/version: a line of JSON. The preferred version is the first line of a group.
 *
 * It contains only how resources and kinds differ from most others. Values that changed over time occur several
 * times.
 */
export interface PackedGroupVersion {
  /** The Go package of its structs, and those whose structs these hold, directly or not. */
  readonly packages: readonly [string, ...string[]];
  readonly resources?: readonly PackedResource[];
  /** Kinds that are neither those of the resources nor those of their lists. */
  readonly kinds?: readonly PackedKind[];
}

/** A kind; its struct has its name and lies in the first of the packages. */
export interface PackedKind extends Lifetime {
  readonly kind: string;
  /** The struct, where it is another one. */
  readonly type?: string;
  /** False where the OpenAPI document of the group/version lacks the kind. */
  readonly published?: boolean;
}

/** A resource with the kind of its objects, and that of its lists: the same name with `List` behind it. */
export interface PackedResource extends PackedKind, Partial<UsualResource> {
  /** False where there is no kind of its lists, or it is not like that of the objects. */
  readonly list?: boolean;
  /** Those with a name alone have the kind and the three verbs of `status`. */
  readonly subresources?: readonly (Partial<Subresource> & { readonly name: string })[];
}

type UsualResource = Omit<Resource, 'group' | 'version' | 'kind' | 'subresources' | 'definition'>;

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

const usualVerbs: readonly string[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/**
 * Returns the usual properties of a resource; its name is guessed as apimachinery's `UnsafeGuessKindToResource`
 * does.
 */
export function usualResource(kind: string): UsualResource {
  const singular = kind.toLowerCase();
  return {
    resource: pluralOf(singular),
    namespaced: true,
    singular,
    shortNames: [],
    categories: [],
    verbs: usualVerbs,
  };
}

function pluralOf(singular: string): string {
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/** The usual properties of a subresource. */
export const usualSubresource: Pick<Subresource, 'verbs' | 'connect'> = {
  verbs: ['get', 'patch', 'update'],
  connect: false,
};

/** A resource of a group/version with all that it has. */
export function unpackResource(group: string, version: string, packed: PackedResource): Resource {
  const { kind, subresources = [] } = packed;
  const usual = usualResource(kind);
  return {
    group,
    version,
    resource: packed.resource ?? usual.resource,
    kind,
    namespaced: packed.namespaced ?? usual.namespaced,
    singular: packed.singular ?? usual.singular,
    shortNames: packed.shortNames ?? usual.shortNames,
    categories: packed.categories ?? usual.categories,
    verbs: packed.verbs ?? usual.verbs,
    subresources: subresources.map((row) => ({
      group,
      version,
      kind,
      ...usualSubresource,
      ...row,
    })),
  };
}

/** The kinds of a group/version: those of resources and of their lists, and the others. */
export function unpackKinds(
  apiVersion: string,
  { packages: [owner], resources = [], kinds = [] }: PackedGroupVersion,
): readonly (BuiltinKind & Lifetime)[] {
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
  const lists = resources
    .filter(({ list = true }) => list)
    .map((row) => ({ ...row, kind: `${row.kind}List` }));
  return [...resources, ...lists, ...kinds].map(
    ({ kind, type = `${owner}.${kind}`, published = true, since, until }) => {
      return { group, version, kind, type, published, since, until };
    },
  );
}

/** API groups of a minor version in the given order, each with the versions that have resources. */
export function servedGroups(
  groups: readonly (readonly [group: string, Lifetime?])[],
  groupVersions: Iterable<readonly [apiVersion: string, packed: PackedGroupVersion]>,
  minor: number,
): (readonly [group: string, versions: readonly string[]])[] {
  const served = new Map<string, string[]>();
  for (const [name, life = {}] of groups) if (isOf(minor, life)) served.set(name, []);
  for (const [apiVersion, { resources = [] }] of groupVersions) {
    const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
    if (resources.some((row) => isOf(minor, row))) served.get(group)?.push(version);
  }
  return [...served];
}

/** Whether a minor version has it. */
export function isOf(minor: number, { since = minor, until = minor }: Lifetime): boolean {
  return since <= minor && minor <= until;
}
