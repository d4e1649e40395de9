import type { PluginSet } from '@kubeadmit/admission/plugins';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import {
  describeValue,
  hasMembers,
  type OptionKind,
  requireArgument,
  requireOptions,
} from '@kubeadmit/base';
import { deepEqual } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import type { Clock, TokenIssuer } from '../host/host.ts';
import type { ApiResponse } from '../http/response.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { metadataOf, nameOf, withMetadata } from '../objects/metadata.ts';
import { bootstrap } from '../server/bootstrap.ts';
import { handleRequest } from '../server/handle-request.ts';
import { makeMachinery } from '../server/server.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { apiRequestOf } from './api-request.ts';
import { holdObject, holdResources, keyOfObject } from './hold-resources.ts';
import type { WriteAnswer, WriteRequest } from './write-request.ts';

/** The cluster that answers writes. */
export interface WriteServerOptions {
  /** The objects that it holds beside those of a new cluster. */
  readonly resources: readonly KubernetesObject[];
  /** The schemas of the built-in kinds, from `loadSchemas`. */
  readonly schemas: Schemas;
  /** Such as `1.37`; default the newest known. */
  readonly kubernetesVersion?: string | undefined;
  /** Default those that kube-apiserver enables by default. */
  readonly plugins?: PluginSet | undefined;
  /** The time in milliseconds since 1970. */
  readonly now: () => number;
  /** A random UUID of version 4 in lower case. */
  readonly randomUid: () => string;
}

/** Answers writes to a cluster in memory, each as a dry run: no write changes the cluster. */
export interface WriteServer {
  /** Answers a write; refusals are answers, too. */
  answer(request: WriteRequest): Promise<WriteAnswer>;
  /** Ends the server. */
  close(): void;
}

const optionKinds: Readonly<Record<keyof WriteServerOptions, OptionKind>> = {
  resources: 'list',
  schemas: 'any',
  kubernetesVersion: 'string',
  plugins: 'object',
  now: 'function',
  randomUid: 'function',
};

/**
 * Makes a server that answers writes as kube-apiserver does: authorization, the changes of the strategy, admission
 * plugins, policies, validation. The cluster is a new one with the given objects; no controllers and no webhooks run,
 * but each namespace has its ServiceAccount `default`.
 *
 * @throws TypeError for invalid options
 * @throws ApiError for resources that kube-apiserver would refuse
 * @throws RefusedResourcesError for policies that kube-apiserver would refuse
 */
export async function createWriteServer(given: WriteServerOptions): Promise<WriteServer> {
  requireWriteOptions(given);
  const { resources, now, ...options } = given;
  const clock: Clock = { now, sleep: async () => undefined };
  const store = new MemoryStore();
  const machinery = makeMachinery({ ...options, store, clock, controllers: false, tokens });
  const { cluster, registry } = machinery;
  await cluster.start();
  await holdResources(machinery, resources);
  await bootstrap(machinery);
  await cluster.caughtUp(registry.lastWrite);
  await holdDefaultAccounts(machinery);
  await cluster.caughtUp(registry.lastWrite);
  await cluster.cluster();
  return {
    answer: (request) => answerWrite(machinery, resources, request),
    close: () => cluster.stop(),
  };
}

/** Answers TokenRequests without a token, which no two servers issue alike. */
const tokens: TokenIssuer = {
  audiences: ['https://kubernetes.default.svc'],
  issue: async () => ({}),
};

function requireWriteOptions(given: WriteServerOptions): void {
  requireOptions('createWriteServer', given, optionKinds);
  const { resources, schemas, now, randomUid } = given;
  requireArgument('createWriteServer: `schemas`', schemas, { what: 'schemas', has: 'names' });
  for (const [name, value] of Object.entries({ resources, now, randomUid }))
    if (value === undefined) throw new TypeError(`createWriteServer: \`${name}\` is undefined`);
  const wrong = resources.findIndex((each) => !hasMembers(each));
  if (wrong >= 0)
    throw new TypeError(
      `createWriteServer: \`resources[${wrong}]\` is ${describeValue(resources[wrong])}`,
    );
}

/** Gives each namespace the account that a controller creates. */
async function holdDefaultAccounts(machinery: Machinery): Promise<void> {
  const accounts = [...machinery.cluster.namespaces.keys()].map((namespace) => ({
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace },
  }));
  for (const account of accounts) {
    const { namespace, name } = account.metadata;
    const key = `/registry/serviceaccounts/${namespace}/${name}`;
    if ((await machinery.registry.store.get(key)) === undefined)
      await holdObject(machinery, account);
  }
}

async function answerWrite(
  machinery: Machinery,
  resources: readonly KubernetesObject[],
  request: WriteRequest,
): Promise<WriteAnswer> {
  const { cluster, registry } = machinery;
  const restore = await holdOldObject(machinery, request.oldObject);
  try {
    await cluster.caughtUp(registry.lastWrite);
    const own = await withOwnVersion(machinery, resources, request);
    return answerOf(await handleRequest(machinery, apiRequestOf(own, cluster.schemas)));
  } finally {
    await restore();
  }
}

/** The request with the resource version that the object has here, if it has that of the given object. */
async function withOwnVersion(
  machinery: Machinery,
  resources: readonly KubernetesObject[],
  request: WriteRequest,
): Promise<WriteRequest> {
  const { verb, object, oldObject } = request;
  const version = object && metadataOf(object).resourceVersion;
  if (verb !== 'update' || object === undefined || !version) return request;
  const isOld = (other: KubernetesObject): boolean =>
    metadataOf(other).resourceVersion === version && nameOf(other) === nameOf(object);
  const old = [...(oldObject === undefined ? [] : [oldObject]), ...resources].find(isOld);
  if (old === undefined) return request;
  const entry = await machinery.registry.store.get(keyOfObject(machinery, old));
  const resourceVersion = String(entry?.revision ?? version);
  return { ...request, object: withMetadata(object, { resourceVersion }) };
}

/** Stores the old object of a request until the request is answered. */
async function holdOldObject(
  machinery: Machinery,
  old: KubernetesObject | undefined,
): Promise<() => Promise<void>> {
  if (old === undefined) return async () => undefined;
  const { registry } = machinery;
  const key = keyOfObject(machinery, old);
  const known = await registry.store.get(key);
  if (known !== undefined && isSame(registry.cache.objectOf(known), old))
    return async () => undefined;
  if (known !== undefined) await registry.store.delete(key, { expected: known.revision });
  await holdObject(machinery, old);
  return async () => {
    const { store } = registry;
    const { revision: expected = 0 } = (await store.get(key)) ?? {};
    const written =
      known === undefined
        ? await store.delete(key, { expected })
        : await store.put(key, known.value, { expected });
    if (written.done) registry.lastWrite = written.revision;
  };
}

function isSame(a: KubernetesObject, b: KubernetesObject): boolean {
  return deepEqual(comparable(a), comparable(b));
}

function answerOf({ status: code, headers, body }: ApiResponse): WriteAnswer {
  const value = body.type === 'object' ? body.value : undefined;
  const warnings = [headers['warning'] ?? []].flat().map(warningText);
  const isStatus = value?.['kind'] === 'Status' && value['apiVersion'] === 'v1';
  return {
    code,
    ...(value !== undefined && isStatus ? { status: withoutUid(value) } : {}),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(value === undefined || isStatus ? {} : { object: comparable(value) }),
  };
}

function warningText(header: string): string {
  return header.replace(/^299 - "(.*)"$/s, '$1').replaceAll(/\\(["\\])/g, '$1');
}

function withoutUid(status: KubernetesObject): KubernetesObject {
  const details = member(status, 'details');
  if (member(details, 'uid') === undefined) return status;
  const { uid: _, ...rest } = details as KubernetesObject;
  return { ...status, details: rest };
}

function comparable(object: KubernetesObject): KubernetesObject {
  return withMetadata(object, {
    uid: undefined,
    resourceVersion: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    managedFields: undefined,
  } as never);
}
