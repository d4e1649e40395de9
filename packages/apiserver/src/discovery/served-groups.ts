import { compareText, getOrMake } from '@kubeadmit/go/internal';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';
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
        .sort(([a], [b]) => compareVersions(b, a))
        .map(([version, resources]) => ({
          version,
          resources: [...resources].sort((a, b) => compareText(a.resource, b.resource)),
        })),
    }))
    .filter(({ versions }) => versions.length > 0);
}

/** Orders versions as Kubernetes does: v1 after v1beta1 after v1alpha1 (apimachinery version.CompareKubeAwareVersionStrings). */
function compareVersions(a: string, b: string): number {
  const left = versionParts(a);
  const right = versionParts(b);
  for (const [i, part] of left.entries()) {
    const other = right[i] ?? 0;
    if (part !== other) return part - other;
  }
  return compareText(b, a);
}

const stages: Readonly<Record<string, number>> = { alpha: 1, beta: 2 };

function versionParts(version: string): readonly number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return [0, 0, 0];
  const stage = match[2] === undefined ? 3 : (stages[match[2]] ?? 0);
  return [stage, Number(match[1]), Number(match[3] ?? 0)];
}

/** Whether built-in resources of a group are served. */
export function isBuiltinGroup(schemas: Schemas, group: string): boolean {
  return listResources(schemas).some(
    (resource) =>
      resource.group === group && isServed(resource) && resource.definition === undefined,
  );
}

/** Whether anything of a group is served. */
export function isServedGroup(schemas: Schemas, group: string): boolean {
  return listResources(schemas).some((resource) => resource.group === group && isServed(resource));
}
