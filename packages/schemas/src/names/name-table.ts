import { type BuiltinKind, groupsOf, kindsOf, resourcesOf } from './catalog.ts';
import type { GroupVersionResource, Resource } from './names.ts';

/** A resource as kube-apiserver registers it for equivalence, whether served or not. */
export interface Registration extends GroupVersionResource {
  readonly subresources: readonly string[];
}

interface BuiltinNames {
  readonly resources: readonly Resource[];
  readonly groups: readonly (readonly [string, readonly string[]])[];
  readonly registrations: readonly Registration[];
  readonly kinds: ReadonlyMap<string, BuiltinKind>;
}

const builtins = new Map<number, BuiltinNames>();

function builtinOf(minor: number): BuiltinNames {
  const known = builtins.get(minor);
  if (known) return known;
  const resources = resourcesOf(minor);
  const made: BuiltinNames = {
    resources,
    groups: groupsOf(minor),
    registrations: resources.map((row) => ({
      ...row,
      subresources: row.subresources.map(({ name }) => name),
    })),
    kinds: new Map(kindsOf(minor).map((row) => [nameKey(row.group, row.version, row.kind), row])),
  };
  builtins.set(minor, made);
  return made;
}

/** Names of one Kubernetes version together with those of definitions. */
export class NameTable {
  readonly resources: readonly Resource[];
  readonly groups: readonly (readonly [string, readonly string[]])[];
  readonly byResource: ReadonlyMap<string, Resource>;
  readonly byKind: ReadonlyMap<string, Resource>;
  readonly kinds: ReadonlyMap<string, BuiltinKind>;
  readonly #registrations: readonly Registration[];

  constructor(
    minor: number,
    custom: readonly Resource[] = [],
    customRegistrations: readonly Registration[] = [],
  ) {
    const builtin = builtinOf(minor);
    this.resources = [...builtin.resources, ...custom];
    this.groups = joinGroups(builtin.groups, custom);
    this.#registrations = [...builtin.registrations, ...customRegistrations];
    this.byResource = new Map(
      this.resources.map((row) => [nameKey(row.group, row.version, row.resource), row]),
    );
    const byKind = new Map<string, Resource>();
    for (const row of this.resources) {
      const key = nameKey(row.group, row.version, row.kind);
      if (!byKind.has(key)) byKind.set(key, row);
    }
    this.byKind = byKind;
    this.kinds = builtin.kinds;
  }

  /** All that stand for the same object, in the order of registration. */
  equivalents(resource: GroupVersionResource, subresource: string): GroupVersionResource[] {
    const identity = identityOf(resource);
    return this.#registrations
      .filter(
        (row) =>
          identityOf(row) === identity &&
          (subresource === '' || row.subresources.includes(subresource)),
      )
      .map(({ group, version, resource: name }) => ({ group, version, resource: name }));
  }
}

/** One text for a name of three parts; none of them can hold a line break. */
export function nameKey(group: string, version: string, name: string): string {
  return `${group}\n${version}\n${name}`;
}

/** Events of both groups are one resource (kube-apiserver, `DefaultStorageFactory` cohabiting resources). */
function identityOf({ group, resource }: { group: string; resource: string }): string {
  const events = resource === 'events' && (group === '' || group === 'events.k8s.io');
  return events ? '\nevents' : `${group}\n${resource}`;
}

function joinGroups(
  builtin: readonly (readonly [string, readonly string[]])[],
  custom: readonly Resource[],
): (readonly [string, readonly string[]])[] {
  const groups = new Map(builtin.map(([group, versions]) => [group, [...versions]]));
  for (const { group, version } of custom) {
    const versions = groups.get(group) ?? [];
    groups.set(group, versions);
    if (!versions.includes(version)) versions.push(version);
  }
  return [...groups];
}
