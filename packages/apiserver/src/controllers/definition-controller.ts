import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go/internal';
import type { ApiClient } from '../api-client.ts';
import { acceptNames } from '../definitions/accepted-names.ts';
import { cleanupFinalizer } from '../definitions/cleanup-finalizer.ts';
import { conditionsOf, groupOfDefinition } from '../definitions/conditions.ts';
import type { Machinery } from '../machinery.ts';
import { metadataOf, nameOf, timeNow } from '../objects/metadata.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Accepts the names of a definition, or ends it when its objects are gone. */
export async function reconcileDefinition(
  machinery: Machinery,
  client: ApiClient,
  definition: KubernetesObject,
): Promise<undefined> {
  if (metadataOf(definition).deletionTimestamp) return endDefinition(machinery, client, definition);
  // Wait for earlier writes, so that two definitions never take a name at the same time.
  await machinery.cluster.caughtUp(machinery.registry.lastWrite);
  const others = [...machinery.cluster.definitionsOf(groupOfDefinition(definition)).values()];
  const now = timeNow(machinery.options.clock);
  const { acceptedNames, conditions } = acceptNames(definition, others, now);
  const status = (member(definition, 'status') ?? {}) as KubernetesObject;
  const isSame =
    deepEqual(status['acceptedNames'], acceptedNames) &&
    deepEqual(conditionsOf(definition), conditions);
  if (isSame) return;
  await client.ask({
    method: 'PUT',
    path: `${path}/${nameOf(definition)}/status`,
    body: { ...definition, status: { ...status, acceptedNames, conditions } },
  });
}

async function endDefinition(
  machinery: Machinery,
  client: ApiClient,
  definition: KubernetesObject,
): Promise<undefined> {
  const finalizers = metadataOf(definition).finalizers ?? [];
  if (!finalizers.includes(cleanupFinalizer)) return;
  const group = groupOfDefinition(definition);
  const plural = String(member(member(member(definition, 'spec'), 'names'), 'plural') ?? '');
  const { store } = machinery.registry;
  const { entries } = await store.range({ prefix: `/registry/${group}/${plural}/` });
  for (const entry of entries) await store.delete(entry.key, { expected: entry.revision });
  machinery.registry.lastWrite = Math.max(machinery.registry.lastWrite, await store.revision());
  await client.ask({
    method: 'PATCH',
    path: `${path}/${nameOf(definition)}`,
    contentType: 'application/merge-patch+json',
    body: { metadata: { finalizers: finalizers.filter((name) => name !== cleanupFinalizer) } },
  });
}
