import { decodeManifest, plainObject } from '@kubeadmit/admission/writes';
import { type KubernetesObject, kindOfObject, member } from '@kubeadmit/apimachinery';
import { findResourceOfKind } from '@kubeadmit/schemas';
import { isDefinition } from '@kubeadmit/schemas/definitions';
import { acceptNames } from '../definitions/accepted-names.ts';
import { groupOfDefinition } from '../definitions/conditions.ts';
import { badRequest } from '../errors/failures.ts';
import { type Endpoint, endpointOf, isCore, keyOf } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf, timeNow, withMember, withMetadata } from '../objects/metadata.ts';
import { createObject } from '../registry/create-object.ts';

/** An object that a server holds, with its place. */
interface Held {
  readonly endpoint: Endpoint;
  readonly namespace: string;
  readonly object: KubernetesObject;
}

/**
 * Stores objects without admission. An object with a uid comes from a server and is stored unchanged; any other is
 * stored as if a client had created it, but keeps its status.
 *
 * @throws ApiError for an object that the server would refuse
 */
export async function holdResources(
  machinery: Machinery,
  resources: readonly KubernetesObject[],
): Promise<void> {
  const definitions = resources.filter(isDefinition);
  for (const definition of definitions) await holdDefinition(machinery, definition);
  await machinery.cluster.caughtUp(machinery.registry.lastWrite);
  const others = resources.filter((resource) => !isDefinition(resource));
  for (const resource of others) await holdObject(machinery, resource);
}

/** Stores one object; see {@link holdResources}. Returns its key. */
export async function holdObject(
  machinery: Machinery,
  resource: KubernetesObject,
): Promise<string> {
  const held = readObject(machinery, resource);
  const { endpoint, namespace, object } = held;
  const { uid, deletionTimestamp } = metadataOf(object);
  const key = keyOf(endpoint, namespace, nameOf(object));
  if (uid) {
    await replace(machinery, held, key);
    return key;
  }
  const created = await createObject(machinery, {
    ...held,
    object: withMetadata(object, { resourceVersion: undefined, managedFields: undefined }),
    isDryRun: false,
    admit: async () => undefined,
  });
  const status = member(resource, 'status') ?? undefined;
  if (status === undefined && !deletionTimestamp) return key;
  const marked = deletionTimestamp ? withMetadata(created, { deletionTimestamp }) : created;
  const complete = status === undefined ? marked : withMember(marked, 'status', object['status']);
  await replace(machinery, { ...held, object: complete }, key);
  return key;
}

/** The key of an object in the store. */
export function keyOfObject(machinery: Machinery, resource: KubernetesObject): string {
  const { endpoint, namespace, object } = readObject(machinery, resource);
  return keyOf(endpoint, namespace, nameOf(object));
}

async function replace(
  { registry }: Machinery,
  { endpoint, object }: Held,
  key: string,
): Promise<void> {
  const entry = await registry.store.get(key);
  const bare = withMetadata(object, { resourceVersion: undefined, managedFields: undefined });
  await registry.put(endpoint, key, { object: bare, expected: entry?.revision ?? 0 });
}

async function holdDefinition(machinery: Machinery, resource: KubernetesObject): Promise<void> {
  const key = await holdObject(machinery, resource);
  const { registry, cluster, options } = machinery;
  await cluster.caughtUp(registry.lastWrite);
  const entry = await registry.store.get(key);
  if (entry === undefined) return;
  const { endpoint } = readObject(machinery, resource);
  const { object } = registry.read(entry, endpoint.kind);
  const others = [...cluster.definitionsOf(groupOfDefinition(object)).values()];
  const accepted = acceptNames(object, others, timeNow(options.clock));
  const status = { ...(member(object, 'status') as object), ...accepted };
  const established = withMember(object, 'status', status);
  await replace(machinery, { endpoint, namespace: '', object: established }, key);
  await cluster.caughtUp(registry.lastWrite);
}

function readObject({ cluster, options }: Machinery, resource: KubernetesObject): Held {
  const { schemas } = cluster;
  const kind = kindOfObject(resource);
  const found = kind && findResourceOfKind(schemas, kind);
  if (found === undefined) {
    const { apiVersion, kind: name } = resource;
    throw badRequest(`unknown kind ${String(name)} of ${String(apiVersion)} among the resources`);
  }
  const { object, error } = decodeManifest(schemas, resource, { now: timeNow(options.clock) });
  if (object === undefined) throw badRequest(error ?? '');
  const endpoint = endpointOf(schemas, found);
  const namespace = found.namespaced ? (metadataOf(object).namespace ?? 'default') : '';
  return { endpoint, namespace, object: withNamespace(plainObject(object), endpoint, namespace) };
}

// A namespace has its own name as a label, an object its namespace.
function withNamespace(
  object: KubernetesObject,
  endpoint: Endpoint,
  namespace: string,
): KubernetesObject {
  if (!isCore(endpoint, 'namespaces'))
    return namespace === '' ? object : withMetadata(object, { namespace });
  const labels = {
    ...metadataOf(object).labels,
    'kubernetes.io/metadata.name': nameOf(object),
  };
  return withMetadata(object, { labels });
}
