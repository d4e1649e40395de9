import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { listResources } from '@kubeadmit/schemas';
import type { ApiClient } from '../http/api-client.ts';
import { endpointOf, isServed } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { objectPath } from '../objects/group-version.ts';
import { metadataOf, nameOf } from '../objects/metadata.ts';

const lookAgainAfter = 100;

/** Finalizes a namespace: deletes its content, then the namespace itself (controller `namespace`). */
export async function reconcileNamespace(
  machinery: Machinery,
  client: ApiClient,
  namespace: KubernetesObject,
): Promise<number | undefined> {
  if (!metadataOf(namespace).deletionTimestamp) return undefined;
  const name = nameOf(namespace);
  const isEmpty = await deleteContents(machinery, client, name);
  if (!isEmpty) return lookAgainAfter;
  const spec = (member(namespace, 'spec') ?? {}) as KubernetesObject;
  const finalizers = member(spec, 'finalizers');
  if (!Array.isArray(finalizers) || !finalizers.includes('kubernetes')) return undefined;
  const { status } = await client.ask({
    method: 'PUT',
    path: `/api/v1/namespaces/${name}/finalize`,
    body: {
      ...namespace,
      metadata: { ...metadataOf(namespace), resourceVersion: undefined },
      spec: { ...spec, finalizers: finalizers.filter((each) => each !== 'kubernetes') },
    },
  });
  return status === 409 ? lookAgainAfter : undefined;
}

async function deleteContents(
  { cluster, registry }: Machinery,
  client: ApiClient,
  namespace: string,
): Promise<boolean> {
  const { schemas } = cluster;
  let isEmpty = true;
  const seen = new Set<string>();
  for (const resource of listResources(schemas)) {
    const isDeletable = resource.verbs.includes('delete') && resource.verbs.includes('list');
    if (!resource.namespaced || !isDeletable || !isServed(resource)) continue;
    const { keyPrefix } = endpointOf(schemas, resource);
    if (seen.has(keyPrefix)) continue;
    seen.add(keyPrefix);
    const prefix = `${keyPrefix}${namespace}/`;
    const { entries } = await registry.store.range({ prefix });
    for (const { key } of entries) {
      const path = objectPath(resource, namespace, key.slice(prefix.length));
      await client.ask({ method: 'DELETE', path, body: { gracePeriodSeconds: 0 } });
    }
    const left = await registry.store.range({ prefix, limit: 1 });
    if (left.entries.length > 0) isEmpty = false;
  }
  return isEmpty;
}
