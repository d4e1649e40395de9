import type { KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';

interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

interface ResourceList {
  readonly groupVersion: string;
  readonly resources: readonly ApiResource[];
}

export async function servedGroupVersions(server: KubeClient): Promise<string[]> {
  const { groups } = (await server.get('/apis')) as {
    readonly groups: readonly { readonly versions: readonly { readonly groupVersion: string }[] }[];
  };
  return [
    'v1',
    ...groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion)),
  ];
}

/** The path below which the resources of a group/version lie. */
export function pathOf(groupVersion: string): string {
  return groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
}

/** The path of the objects of a resource. */
export function collectionOf({ group, version, namespaced, resource }: Resource): string {
  const root = pathOf(group === '' ? version : `${group}/${version}`);
  return namespaced ? `${root}/namespaces/default/${resource}` : `${root}/${resource}`;
}

/** Returns the differences between discovery and the schemas for the served group/versions. */
export async function compareNames(server: KubeClient, schemas: Schemas): Promise<string[]> {
  const differences: string[] = [];
  for (const groupVersion of await servedGroupVersions(server)) {
    const { resources } = (await server.get(pathOf(groupVersion))) as ResourceList;
    const theirs = new Map(resources.map((row) => [row.name, describe(row, groupVersion)]));
    const ours = new Map(
      listResources(schemas)
        .filter(({ group, version }) => [group, version].filter(Boolean).join('/') === groupVersion)
        .flatMap(rowsOf),
    );
    for (const name of new Set([...theirs.keys(), ...ours.keys()])) {
      const [left, right] = [ours.get(name) ?? 'nothing', theirs.get(name) ?? 'nothing'];
      if (left !== right)
        differences.push(`${groupVersion} ${name}\n    ours   ${left}\n    theirs ${right}`);
    }
  }
  return differences;
}

function describe(row: ApiResource, groupVersion: string): string {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const { name, singularName: singular, shortNames = [], categories = [] } = row;
  const kind = [row.group ?? group, row.version ?? version, row.kind].filter(Boolean).join('/');
  return name.includes('/')
    ? text({ kind, verbs: row.verbs })
    : text({ kind, singular, scope: row.namespaced, verbs: row.verbs, shortNames, categories });
}

function rowsOf(row: Resource): (readonly [string, string])[] {
  const { resource, singular, namespaced: scope, verbs, shortNames, categories } = row;
  const kind = [row.group, row.version, row.kind].filter(Boolean).join('/');
  return [
    [resource, text({ kind, singular, scope, verbs, shortNames, categories })],
    ...row.subresources.map((sub): readonly [string, string] => [
      `${resource}/${sub.name}`,
      text({
        kind: [sub.group, sub.version, sub.kind].filter(Boolean).join('/'),
        verbs: sub.verbs,
      }),
    ]),
  ];
}

function text(facts: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(facts, (_, value: unknown) =>
    Array.isArray(value) ? value.toSorted() : value,
  );
}
