import type { GroupVersionKind, GroupVersionResource } from '@kubeadmit/apimachinery';
import { requireText } from '@kubeadmit/base';
import { homesOf } from '../names/catalog.ts';
import { nameKey } from '../names/name-table.ts';
import type { Resource } from '../names/names.ts';
import { requireName, requireSchemas } from './require-schemas.ts';
import type { Schemas } from './schemas.ts';

/** Every resource of the version and of the definitions, in the server's order of groups. */
export function listResources(schemas: Schemas): readonly Resource[] {
  return requireSchemas('listResources', schemas).names.resources;
}

/** The resource of a name, or undefined when it is not served. */
export function findResource(
  schemas: Schemas,
  resource: GroupVersionResource,
): Resource | undefined {
  return resourceNamed('findResource', schemas, resource);
}

function resourceNamed(
  call: string,
  schemas: Schemas,
  name: GroupVersionResource,
): Resource | undefined {
  const { names } = requireSchemas(call, schemas);
  requireName(call, name, 'resource');
  return names.byResource.get(nameKey(name.group, name.version, name.resource));
}

/** Returns the resource of a kind, or `undefined`. */
export function findResourceOfKind(schemas: Schemas, kind: GroupVersionKind): Resource | undefined {
  return resourceOfKind('findResourceOfKind', schemas, kind);
}

function resourceOfKind(
  call: string,
  schemas: Schemas,
  name: GroupVersionKind,
): Resource | undefined {
  const { names } = requireSchemas(call, schemas);
  requireName(call, name, 'kind');
  return names.byKind.get(nameKey(name.group, name.version, name.kind));
}

/**
 * Returns the kind of the object in a request to a resource or its subresource.
 *
 * `apps/v1 deployments` with `scale` returns `autoscaling/v1 Scale`; a resource that is not served returns undefined.
 */
export function findKind(
  schemas: Schemas,
  resource: GroupVersionResource,
  subresource = '',
): GroupVersionKind | undefined {
  const row = resourceNamed('findKind', schemas, resource);
  requireText('findKind', subresource);
  const target =
    subresource === '' ? row : row?.subresources.find(({ name }) => name === subresource);
  return target && { group: target.group, version: target.version, kind: target.kind };
}

/**
 * The names under which the same object is served, the given one included, in the order in which kube-apiserver
 * registers them (`matchPolicy: Equivalent`); empty when the resource is not known.
 */
export function equivalentResources(
  schemas: Schemas,
  resource: GroupVersionResource,
  subresource = '',
): readonly GroupVersionResource[] {
  const { names } = requireSchemas('equivalentResources', schemas);
  requireName('equivalentResources', resource, 'resource');
  requireText('equivalentResources', subresource);
  return names.equivalents(resource, subresource);
}

/** The version of a group that clients use first, or undefined for an unknown group. */
export function preferredVersion(schemas: Schemas, group: string): string | undefined {
  const { names } = requireSchemas('preferredVersion', schemas);
  requireText('preferredVersion', group);
  return names.groups.find(([name]) => name === group)?.[1][0];
}

/** Whether objects of the kind lie in namespaces; undefined for a kind that has no resource. */
export function isNamespaced(schemas: Schemas, kind: GroupVersionKind): boolean | undefined {
  return resourceOfKind('isNamespaced', schemas, kind)?.namespaced;
}

/** An API version that has a kind, and the Kubernetes versions that have it there. */
export interface KindHome {
  /** Such as `apps/v1`. */
  readonly apiVersion: string;
  /** The versions that have it, such as `1.37`, the newest first. */
  readonly kubernetesVersions: readonly string[];
}

/** Where a built-in kind exists, in any Kubernetes version: for hints about a kind that this version lacks. */
export function otherVersionsOf(kind: string, group?: string): readonly KindHome[] {
  requireText('otherVersionsOf', kind);
  if (group !== undefined) requireText('otherVersionsOf', group);
  return [...homesOf(kind, group)].map(([apiVersion, minors]) => ({
    apiVersion,
    kubernetesVersions: minors.map((minor) => `1.${minor}`),
  }));
}
