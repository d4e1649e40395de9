import { getOrMake } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';
import { compareKubeVersions } from '../definitions/kube-version.ts';
import { isServed } from '../kinds/endpoint.ts';

/** A group with its versions, the preferred one first, and their resources. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly {
    readonly version: string;
    readonly resources: readonly Resource[];
  }[];
}

/** The groups that are served, the core group first, then in the server's order. */
export function servedGroups(schemas: Schemas): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, Resource[]>>();
  for (const [name, versions] of schemas.names.groups) {
    groups.set(name, new Map(versions.map((version) => [version, []])));
  }
  for (const resource of listResources(schemas)) {
    if (!isServed(resource)) continue;
    const versions = getOrMake(groups, resource.group, () => new Map<string, Resource[]>());
    getOrMake(versions, resource.version, () => []).push(resource);
  }
  return [...groups]
    .map(([name, versions]) => ({
      name,
      versions: [...versions]
        .filter(([, resources]) => resources.length > 0)
        .sort(([a], [b]) => compareKubeVersions(b, a))
        .map(([version, resources]) => ({
          version,
          resources: [...resources].sort((a, b) => compareText(a.resource, b.resource)),
        })),
    }))
    .filter(({ versions }) => versions.length > 0);
}

/** Whether built-in resources of a group are served. */
export function isBuiltinGroup(schemas: Schemas, group: string): boolean {
  return listResources(schemas).some(
    (resource) =>
      resource.group === group && isServed(resource) && resource.definition === undefined,
  );
}

export function isServedGroup(schemas: Schemas, group: string): boolean {
  return listResources(schemas).some((resource) => resource.group === group && isServed(resource));
}
