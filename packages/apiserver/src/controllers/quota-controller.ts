import { ObjectCluster } from '@kubeadmit/admission/unstable-internal';
import { type KubernetesObject, member, memberList, memberObject } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import { listResources } from '@kubeadmit/schemas';
import type { ApiClient } from '../http/api-client.ts';
import { endpointOf } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf, withoutMember } from '../objects/metadata.ts';
import type { StoreEvent } from '../store/store.ts';
import { follow } from './follow.ts';
import { WorkQueue } from './work-queue.ts';

const quotas = 'resourcequotas';
const prefix = `/registry/${quotas}/`;

/** The keys of quotas, and of objects whose change may release quota. */
const countedKey = /^\/registry\/(?:resourcequotas|pods|persistentvolumeclaims|services)\//;

/** When a status that could not be written is computed again, in milliseconds. */
const retryAfter = 200;

/**
 * Keeps the status of quotas up to date: the limits of the specification, and the usage when a quota is new or changed,
 * or an object of its namespace is deleted or counts differently (controller `resourcequota`). New objects are charged
 * by the plugin ResourceQuota.
 */
export async function followQuotas(
  machinery: Machinery,
  client: ApiClient,
  signal: AbortSignal,
): Promise<void> {
  const { cluster, options, registry } = machinery;
  if (!cluster.plugins.set.names.has('ResourceQuota')) return;
  const queue = new WorkQueue(
    async (key) => {
      const entry = await registry.store.get(key);
      return entry && reconcileQuota(machinery, client, registry.cache.objectOf(entry));
    },
    options.clock,
    signal,
  );
  await follow(machinery, { prefix: '/registry/', signal }, async (entries) => {
    for (const { key } of entries) if (key.startsWith(prefix)) queue.add(key);
    return async (event) => {
      for (const key of await affectedQuotas(machinery, event)) queue.add(key);
    };
  });
}

async function affectedQuotas(
  { cluster, registry }: Machinery,
  event: StoreEvent,
): Promise<readonly string[]> {
  if (event.type === 'progress') return [];
  if (event.type === 'put' && !countedKey.test(event.entry.key)) return [];
  const previous = event.previous && registry.cache.objectOf(event.previous);
  const { revision } = event.type === 'put' ? event.entry : event;
  if (event.type === 'put') {
    const { entry } = event;
    const object = registry.cache.objectOf(entry);
    if (entry.key.startsWith(prefix)) return isComplete(object) ? [] : [entry.key];
    if (previous === undefined || deepEqual(countedPart(previous), countedPart(object))) return [];
  }
  if (event.previous?.key.startsWith(prefix)) return [];
  await cluster.caughtUp(revision);
  const { namespace = '' } = metadataOf(previous ?? {});
  if (namespace === '') return [];
  return cluster.plugins.cluster
    .list(quotas, namespace)
    .map((quota) => `${prefix}${namespace}/${nameOf(quota)}`);
}

/** The part of an object whose change may release quota (pkg/quota/v1/install/update_filter.go). */
function countedPart(object: KubernetesObject): readonly unknown[] {
  const [spec, status] = ['spec', 'status'].map((field) => member(object, field));
  const parts: Readonly<Record<string, () => readonly unknown[]>> = {
    'v1/Pod': () => [
      member(spec, 'activeDeadlineSeconds'),
      ['Succeeded', 'Failed'].includes(String(member(status, 'phase'))),
      ...['containerStatuses', 'initContainerStatuses'].map((field) =>
        memberList(status, field).map((each) => member(each, 'resources')),
      ),
    ],
    'v1/Service': () => [member(spec, 'type'), member(spec, 'ports')],
    'v1/PersistentVolumeClaim': () => [
      member(spec, 'resources'),
      member(spec, 'volumeAttributesClassName'),
      member(status, 'currentVolumeAttributesClassName'),
      member(member(status, 'modifyVolumeStatus'), 'targetVolumeAttributesClassName'),
      member(status, 'allocatedResources'),
    ],
  };
  return parts[`${object['apiVersion']}/${object['kind']}`]?.() ?? [];
}

/** Whether the status has the limits of the specification and a usage of each. */
function isComplete(quota: KubernetesObject): boolean {
  const hard = memberObject(member(quota, 'spec'), 'hard');
  const status = member(quota, 'status');
  const used = memberObject(status, 'used');
  return (
    deepEqual(memberObject(status, 'hard'), hard) &&
    Object.keys(hard).every((name) => Object.hasOwn(used, name))
  );
}

async function reconcileQuota(
  machinery: Machinery,
  client: ApiClient,
  quota: KubernetesObject,
): Promise<number | undefined> {
  const complete = machinery.cluster.plugins.set.completing.get(quotas);
  const { namespace = '' } = metadataOf(quota);
  if (complete === undefined) return undefined;
  const counted = complete(withoutMember(quota, 'status'), await clusterOf(machinery, namespace));
  if (deepEqual(member(counted, 'status'), member(quota, 'status'))) return undefined;
  const path = `/api/v1/namespaces/${namespace}/${quotas}/${nameOf(quota)}/status`;
  const { status } = await client.ask({ method: 'PUT', path, body: counted });
  return status === 409 ? retryAfter : undefined;
}

/** The stored objects of a namespace, to be counted. */
async function clusterOf(
  { cluster, registry }: Machinery,
  namespace: string,
): Promise<ObjectCluster> {
  const { schemas, minor, authorizer, now } = cluster.plugins.cluster;
  const objects = new ObjectCluster({ schemas, minor, authorizer, now });
  const prefixes = new Set(
    listResources(schemas)
      .filter(({ namespaced }) => namespaced)
      .map((resource) => endpointOf(schemas, resource).keyPrefix),
  );
  for (const each of prefixes) {
    const { entries } = await registry.store.range({ prefix: `${each}${namespace}/` });
    for (const entry of entries) objects.add(registry.cache.objectOf(entry));
  }
  return objects;
}
