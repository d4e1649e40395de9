import { groupVersionKindOf } from '@kubeadmit/apimachinery';
import {
  isOf,
  type Lifetime,
  type PackedGroupVersion,
  type PackedKind,
  type PackedResource,
  servedGroups,
  unpackKinds,
  unpackResource,
  usualResource,
  usualSubresource,
} from '@kubeadmit/schemas/unstable-internal';
import type { KindRow, ResourceRow, SubresourceRow, VersionModel } from './model.ts';

/** The names of all versions, as they are written into the package. */
export interface PackedCatalog {
  /** Minor version to the exact version that its facts come from, the newest first. */
  readonly versions: readonly (readonly [minor: number, patch: string])[];
  /** API groups in the server's order; a group occurs several times if its position changed. */
  readonly groups: readonly (readonly [group: string, Lifetime?])[];
  /** The contents of each group/version, such as `apps/v1`, in the server's order within a group. */
  readonly groupVersions: Readonly<Record<string, PackedGroupVersion>>;
}

type Models = ReadonlyMap<number, VersionModel>;

/**
 * Merges the names of all versions: each group/version once, and in it each kind and each resource once per unchanged
 * range of versions.
 *
 * @param packagesOf the packages that the structs of a package need, itself first
 */
export function packCatalog(
  models: Models,
  packagesOf: (owner: string) => readonly [string, ...string[]],
): PackedCatalog {
  const minors = [...models.keys()].sort((a, b) => b - a);
  const all = <T extends object>(list: (of: VersionModel) => readonly T[]): (T & Lifetime)[] =>
    withLifetimes(minors.map((minor) => [minor, list(models.get(minor) as VersionModel)]));
  const served = all(({ groups }) =>
    groups.flatMap(([group, versions]) => versions.map((version) => ({ group, version }))),
  );
  const apiVersions = new Set([...served, ...all(({ kinds }) => kinds)].map(apiVersionOf));
  return {
    groups: all(({ groups }) => groups.map(([group]) => ({ group }))).map(({ group, ...life }) =>
      Object.keys(life).length === 0 ? [group] : [group, life],
    ),
    versions: minors.map((minor) => [minor, (models.get(minor) as VersionModel).patch]),
    groupVersions: Object.fromEntries(
      [...apiVersions].map((apiVersion) => {
        const owner = ownerOf(models, apiVersion);
        const packed = (of: VersionModel) => packNames(apiVersion, of, owner);
        const resources = all((of) => packed(of).resources);
        const kinds = all((of) => packed(of).kinds);
        return [
          apiVersion,
          {
            packages: packagesOf(owner),
            ...(resources.length > 0 ? { resources } : {}),
            ...(kinds.length > 0 ? { kinds } : {}),
          },
        ];
      }),
    ),
  };
}

function apiVersionOf({ group, version }: { group: string; version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The Go package that most structs of a group/version lie in. */
function ownerOf(models: Models, apiVersion: string): string {
  const counts = new Map<string, number>();
  for (const row of [...models.values()].flatMap(({ kinds }) => kinds)) {
    if (apiVersionOf(row) !== apiVersion) continue;
    const owner = row.type.slice(0, row.type.lastIndexOf('.'));
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  if (first === undefined) throw new Error(`${apiVersion} has no kinds`);
  return first[0];
}

/** Rows of several versions in one order, each with the versions that have it, once for each stretch of them. */
function withLifetimes<T extends object>(
  lists: readonly (readonly [minor: number, rows: readonly T[]])[],
): (T & Lifetime)[] {
  const [newest = 0] = lists.map(([minor]) => minor);
  const oldest = lists.at(-1)?.[0] ?? 0;
  return mergeRows(lists).flatMap(([row, minors]) =>
    stretches(minors).map(([since, until]) => ({
      ...row,
      ...(since === oldest ? {} : { since }),
      ...(until === newest ? {} : { until }),
    })),
  );
}

function stretches(minors: readonly number[]): [since: number, until: number][] {
  const found: [number, number][] = [];
  for (const minor of minors) {
    const last = found.at(-1);
    if (last !== undefined && last[0] === minor + 1) last[0] = minor;
    else found.push([minor, minor]);
  }
  return found;
}

/**
 * Merges rows of several versions, the newest first, and keeps the order of each version.
 *
 * A row occurs once with its versions, or several times if its position differs between versions.
 */
export function mergeRows<T>(lists: readonly (readonly [number, readonly T[]])[]): [T, number[]][] {
  const merged: { readonly key: string; readonly row: T; readonly minors: number[] }[] = [];
  for (const [minor, list] of lists) {
    let place = 0;
    for (const row of list) {
      const key = JSON.stringify(row);
      const found = merged.findIndex((known, index) => index >= place && known.key === key);
      if (found < 0) merged.splice(place, 0, { key, row, minors: [minor] });
      else merged[found]?.minors.push(minor);
      place = (found < 0 ? place : found) + 1;
    }
  }
  return merged.map(({ row, minors }) => [row, minors]);
}

function packNames(apiVersion: string, model: VersionModel, owner: string) {
  const kinds = new Map(
    model.kinds
      .filter((row) => apiVersionOf(row) === apiVersion)
      .map((row) => [row.kind, packKind(row, owner)]),
  );
  const resources = model.resources
    .filter((row) => apiVersionOf(row) === apiVersion)
    .map((row): PackedResource => {
      const kind = kinds.get(row.kind);
      if (kind === undefined) throw new Error(`${row.resource} of ${apiVersion} has no kind`);
      const list = kinds.get(`${row.kind}List`);
      const hasList = isSame(list, { ...kind, kind: `${row.kind}List` });
      if (hasList) kinds.delete(`${row.kind}List`);
      return { ...kind, ...(hasList ? {} : { list: false }), ...packResource(row) };
    });
  for (const { kind } of resources) kinds.delete(kind);
  return { resources, kinds: [...kinds.values()] };
}

function packKind({ kind, type, published }: KindRow, owner: string): PackedKind {
  return {
    kind,
    ...(type === `${owner}.${kind}` ? {} : { type }),
    ...(published ? {} : { published }),
  };
}

/** Returns the properties of a resource that differ from the defaults. */
function packResource({ group, version, kind, ...row }: ResourceRow): Partial<PackedResource> {
  const { subresources, ...members } = row;
  const packed = subresources.map(({ name, ...sub }) => ({
    name,
    ...unlike(sub, { group, version, kind, ...usualSubresource }),
  }));
  return {
    ...unlike(members, usualResource(kind)),
    ...(packed.length > 0 ? { subresources: packed } : {}),
  };
}

/** The members that are not the usual ones. */
function unlike<T extends object>(row: T, usual: object): Partial<T> {
  const members = Object.entries(row).filter(
    ([name, value]) => !isSame(value, Reflect.get(usual, name)),
  );
  return Object.fromEntries(members) as Partial<T>;
}

function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Returns the packed names of one version, as the package reads them. */
export function unpackCatalog(
  { groups, groupVersions }: PackedCatalog,
  minor: number,
): Pick<VersionModel, 'groups' | 'resources' | 'kinds'> {
  const all = Object.entries(groupVersions);
  return {
    groups: servedGroups(groups, all, minor),
    resources: all.flatMap(([apiVersion, { resources = [] }]) => {
      const { group, version } = groupVersionKindOf(apiVersion, '');
      return resources
        .filter((row) => isOf(minor, row))
        .map((row) => resourceRow(unpackResource(group, version, row)));
    }),
    kinds: all.flatMap(([apiVersion, packed]) =>
      unpackKinds(apiVersion, packed)
        .filter((row) => isOf(minor, row))
        .map(({ since, until, ...row }) => row),
    ),
  };
}

/** A resource as in the model, which leaves out empty fields. */
function resourceRow(resource: ReturnType<typeof unpackResource>): ResourceRow {
  const { group, version, kind, namespaced, singular, shortNames, categories, verbs } = resource;
  return {
    group,
    version,
    resource: resource.resource,
    kind,
    namespaced,
    singular,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    verbs,
    subresources: resource.subresources.map(({ connect, ...row }): SubresourceRow => {
      return connect ? { ...row, connect } : row;
    }),
  };
}
