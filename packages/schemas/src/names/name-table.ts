import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
} from '@kubeadmit/apimachinery';
import { getOrMake, groupBy } from '@kubeadmit/base';
import { groupsOf, groupVersionsOfKinds, kindsOf, resourcesOf } from './catalog.ts';
import type { Resource } from './names.ts';
import type { BuiltinKind } from './packed-catalog.ts';

/** A resource as kube-apiserver registers it for equivalence, whether served or not. */
export interface Registration extends GroupVersionResource {
  readonly subresources: readonly string[];
}

/** The names of a Kubernetes version, each part created on first use. */
class BuiltinNames {
  readonly #minor: number;
  #resources: readonly Resource[] | undefined;
  #groups: readonly (readonly [string, readonly string[]])[] | undefined;
  readonly #kinds = new Map<string, ReadonlyMap<string, BuiltinKind>>();
  // The last request: consecutive ones are often for the same version, and building its key takes longer than the
  // look-up.
  #group = '';
  #version = '';
  #lastKinds: ReadonlyMap<string, BuiltinKind> = new Map();

  constructor(minor: number) {
    this.#minor = minor;
  }

  get resources(): readonly Resource[] {
    this.#resources ??= resourcesOf(this.#minor);
    return this.#resources;
  }

  get groups(): readonly (readonly [string, readonly string[]])[] {
    this.#groups ??= groupsOf(this.#minor);
    return this.#groups;
  }

  kindsIn(apiVersion: string): ReadonlyMap<string, BuiltinKind> {
    const known = this.#kinds.get(apiVersion);
    if (known) return known;
    const made = new Map(kindsOf(apiVersion, this.#minor).map((row) => [row.kind, row]));
    // Unknown names are not cached: manifests may contain any number of them.
    if (made.size > 0) this.#kinds.set(apiVersion, made);
    return made;
  }

  kind({ group, version, kind }: GroupVersionKind): BuiltinKind | undefined {
    if (group !== this.#group || version !== this.#version) {
      this.#lastKinds = this.kindsIn(formatGroupVersion({ group, version }));
      this.#group = group;
      this.#version = version;
    }
    return this.#lastKinds.get(kind);
  }
}

const builtins = new Map<number, BuiltinNames>();

function builtinOf(minor: number): BuiltinNames {
  const known = builtins.get(minor) ?? new BuiltinNames(minor);
  builtins.set(minor, known);
  return known;
}

/** Names of one Kubernetes version together with those of definitions, sorted on first use. */
export class NameTable {
  readonly #builtin: BuiltinNames;
  readonly #custom: readonly Resource[];
  readonly #customRegistrations: readonly Registration[];
  #resources: readonly Resource[] | undefined;
  #groups: readonly (readonly [string, readonly string[]])[] | undefined;
  #byResource: ReadonlyMap<string, Resource> | undefined;
  #byKind: ReadonlyMap<string, Resource> | undefined;
  #registrations: ReadonlyMap<string, readonly Registration[]> | undefined;

  constructor(
    minor: number,
    custom: readonly Resource[] = [],
    customRegistrations: readonly Registration[] = [],
  ) {
    this.#builtin = builtinOf(minor);
    this.#custom = custom;
    this.#customRegistrations = customRegistrations;
  }

  /** Built-in kinds of a group/version such as `apps/v1`, by their names. */
  kindsIn(apiVersion: string): ReadonlyMap<string, BuiltinKind> {
    return this.#builtin.kindsIn(apiVersion);
  }

  kind(kind: GroupVersionKind): BuiltinKind | undefined {
    return this.#builtin.kind(kind);
  }

  /** Group/versions that have built-in kinds in some version. */
  get groupVersions(): Iterable<string> {
    return groupVersionsOfKinds();
  }

  get resources(): readonly Resource[] {
    this.#resources ??= [...this.#builtin.resources, ...this.#custom];
    return this.#resources;
  }

  get groups(): readonly (readonly [string, readonly string[]])[] {
    this.#groups ??= joinGroups(this.#builtin.groups, this.#custom);
    return this.#groups;
  }

  get byResource(): ReadonlyMap<string, Resource> {
    this.#byResource ??= new Map(
      this.resources.map((row) => [nameKey(row.group, row.version, row.resource), row]),
    );
    return this.#byResource;
  }

  get byKind(): ReadonlyMap<string, Resource> {
    this.#byKind ??= firstOfKinds(this.resources);
    return this.#byKind;
  }

  /** All that stand for the same object, in the order of registration. */
  equivalents(resource: GroupVersionResource, subresource: string): GroupVersionResource[] {
    this.#registrations ??= byIdentity([
      ...this.#builtin.resources.map(registrationOf),
      ...this.#customRegistrations,
    ]);
    return (this.#registrations.get(identityOf(resource)) ?? [])
      .filter((row) => subresource === '' || row.subresources.includes(subresource))
      .map(({ group, version, resource: name }) => ({ group, version, resource: name }));
  }
}

function registrationOf(row: Resource): Registration {
  return { ...row, subresources: row.subresources.map(({ name }) => name) };
}

function byIdentity(
  registrations: readonly Registration[],
): ReadonlyMap<string, readonly Registration[]> {
  return groupBy(registrations, identityOf);
}

function firstOfKinds(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  const byKind = new Map<string, Resource>();
  for (const row of resources) {
    const key = nameKey(row.group, row.version, row.kind);
    if (!byKind.has(key)) byKind.set(key, row);
  }
  return byKind;
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
    const versions = getOrMake(groups, group, () => []);
    if (!versions.includes(version)) versions.push(version);
  }
  return [...groups];
}
