import { setTimeout as sleep } from 'node:timers/promises';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { collectionOf, objectPath } from './paths.ts';
import type { Fields } from './pods.ts';
import type { World, WorldNamespace } from './world.ts';

/** A world as a server holds it. */
export interface StagedWorld {
  readonly cluster: readonly KubernetesObject[];
  /** The stored objects of each namespace, the namespace itself first. */
  readonly namespaces: ReadonlyMap<string, readonly KubernetesObject[]>;
}

/** Milliseconds until the caches of a server contain a stored object. */
const noticeMilliseconds = 800;
/** Milliseconds until policies act. */
const actMilliseconds = 3000;

/** Stores a world on a server and waits until all of it acts. */
export async function stageWorld(client: KubeClient, world: World): Promise<StagedWorld> {
  const isPolicy = ({ kind }: KubernetesObject): boolean =>
    String(kind).includes('AdmissionPolicy');
  const others = world.cluster.filter((object) => !isPolicy(object));
  for (const object of others) await store(client, object);
  const valid = new Map<string, readonly KubernetesObject[]>();
  for (const namespace of world.namespaces) {
    valid.set(namespace.name, await storeObjects(client, namespace));
  }
  await sleep(noticeMilliseconds);
  for (const namespace of world.namespaces) await storeLimits(client, namespace);
  const policies = world.cluster.filter(isPolicy);
  for (const object of policies) await store(client, object);
  await sleep(policies.length > 0 ? actMilliseconds : noticeMilliseconds);
  const cluster = await Promise.all(world.cluster.map((object) => read(client, object)));
  const namespaces = new Map<string, readonly KubernetesObject[]>();
  for (const { name, limits } of world.namespaces) {
    const all = [namespaceObject(name), ...(valid.get(name) ?? []), ...limits];
    namespaces.set(name, await Promise.all(all.map((object) => read(client, object))));
  }
  return { cluster, namespaces };
}

/** Removes the objects of a world that act outside its namespaces. */
export async function clearWorld(client: KubeClient, { cluster }: World): Promise<void> {
  for (const object of cluster.toReversed()) {
    const { code, body } = await client.ask('DELETE', objectPath(object));
    if (code >= 300 && code !== 404)
      throw new Error(`${objectPath(object)}: ${JSON.stringify(body)}`);
  }
  await sleep(noticeMilliseconds * 2);
}

function namespaceObject(name: string): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** Returns the objects that the server stored; it refuses those that are invalid. */
async function storeObjects(
  client: KubeClient,
  { name, objects }: WorldNamespace,
): Promise<readonly KubernetesObject[]> {
  await store(client, namespaceObject(name));
  const stored: KubernetesObject[] = [];
  for (const object of objects) {
    // A pod needs the account of its namespace, which the server notices a moment later.
    if (object['kind'] === 'Pod' && stored.at(-1)?.['kind'] === 'ServiceAccount') await sleep(200);
    const { code } = await client.ask('POST', collectionOf(object), object);
    if (code === 201) stored.push(object);
  }
  return stored;
}

async function storeLimits(
  client: KubeClient,
  { name, labels, limits }: WorldNamespace,
): Promise<void> {
  for (const object of limits) {
    const { status, ...rest } = object as { readonly status?: Fields };
    const stored = await store(client, rest as KubernetesObject);
    if (status === undefined) continue;
    await send(client, 'PUT', `${objectPath(object)}/status`, { ...stored, status });
  }
  await send(client, 'PATCH', objectPath(namespaceObject(name)), { metadata: { labels } });
}

function store(client: KubeClient, object: KubernetesObject): Promise<KubernetesObject> {
  return send(client, 'POST', collectionOf(object), object);
}

/** @throws Error if the server refuses the request */
async function send(
  client: KubeClient,
  method: string,
  path: string,
  object: unknown,
): Promise<KubernetesObject> {
  const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const { code, body } = await client.ask(method, path, object, headers);
  if (code >= 300) throw new Error(`${path}: ${JSON.stringify(body)} ${JSON.stringify(object)}`);
  return body as KubernetesObject;
}

async function read(client: KubeClient, object: KubernetesObject): Promise<KubernetesObject> {
  const { apiVersion, kind } = object;
  const body = (await client.get(objectPath(object))) as Fields;
  const { managedFields: _, ...metadata } = body['metadata'] as Fields;
  return { ...body, apiVersion, kind, metadata } as KubernetesObject;
}
