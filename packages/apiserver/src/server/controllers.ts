import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';
import { reconcileDefinition } from '../controllers/definition-controller.ts';
import { follow } from '../controllers/follow.ts';
import { GarbageCollector } from '../controllers/garbage-collector.ts';
import { reconcileNamespace } from '../controllers/namespace-controller.ts';
import { reconcileNamespaceDefaults } from '../controllers/namespace-defaults.ts';
import { followQuotas } from '../controllers/quota-controller.ts';
import {
  aggregateAll,
  aggregateRole,
  rolesThatAggregate,
} from '../controllers/role-aggregation.ts';
import { releaseUnused, storageProtections } from '../controllers/storage-protection.ts';
import { reconcilePolicyStatus } from '../controllers/type-checking-controller.ts';
import { WorkQueue } from '../controllers/work-queue.ts';
import { groupOfDefinition } from '../definitions/conditions.ts';
import { ApiClient, serverUser } from '../http/api-client.ts';
import type { Machinery } from '../machinery/machinery.ts';
import type { StoreEvent } from '../store/store.ts';
import { handleRequest } from './handle-request.ts';

/** The action after an object of a resource has changed. */
interface Controller {
  /** The start of the keys of the objects. */
  readonly prefix: string;
  /** Returns the milliseconds until the next check, or nothing if all is done. */
  readonly reconcile: (object: KubernetesObject) => Promise<number | undefined>;
  /** The keys of other objects that a change concerns, by the states of the changed one before and after it. */
  readonly concerned?: ((states: readonly KubernetesObject[]) => readonly string[]) | undefined;
}

/**
 * Starts the controllers: that of definitions always, the others if the options say so. Resolves when aggregated roles
 * have their first rules.
 */
export async function startControllers(machinery: Machinery, signal: AbortSignal): Promise<void> {
  const server = clientAs(serverUser, machinery, 'kube-apiserver');
  const controllers: Controller[] = [
    {
      prefix: '/registry/apiextensions.k8s.io/customresourcedefinitions/',
      reconcile: (object) => reconcileDefinition(machinery, server, object),
      // Names that one has are not free for the others of its group.
      concerned: (states) =>
        states.flatMap((state) => [
          ...machinery.cluster.definitionsOf(groupOfDefinition(state)).keys(),
        ]),
    },
  ];
  if (machinery.options.controllers !== false) {
    controllers.push(...smallControllers(machinery));
    await aggregateAll(machinery, roles(machinery));
    void collectGarbage(machinery, signal);
    void followQuotas(machinery, clientOf(machinery, 'resourcequota-controller'), signal);
  }
  // Node warns about more than ten listeners of one signal.
  for (const controller of controllers) void run(machinery, controller, AbortSignal.any([signal]));
}

function clientAs(user: UserInfo, machinery: Machinery, agent: string): ApiClient {
  return new ApiClient({ handle: (request) => handleRequest(machinery, request) }, user, agent);
}

// Returns a client with the controller's service account.
function clientOf(machinery: Machinery, name: string): ApiClient {
  const user = {
    username: `system:serviceaccount:kube-system:${name}`,
    groups: [
      'system:serviceaccounts',
      'system:serviceaccounts:kube-system',
      'system:authenticated',
    ],
  };
  return clientAs(user, machinery, 'kube-controller-manager');
}

function roles(machinery: Machinery): ApiClient {
  return clientOf(machinery, 'clusterrole-aggregation-controller');
}

// Those of kube-controller-manager that policies meet.
function smallControllers(machinery: Machinery): readonly Controller[] {
  const namespaces = clientOf(machinery, 'namespace-controller');
  const policies = clientOf(machinery, 'validatingadmissionpolicy-status-controller');
  const aggregation = roles(machinery);
  const server = clientAs(serverUser, machinery, 'kube-controller-manager');
  return [
    {
      prefix: '/registry/namespaces/',
      reconcile: (object) => reconcileNamespace(machinery, namespaces, object),
    },
    {
      prefix: '/registry/namespaces/',
      reconcile: (object) => reconcileNamespaceDefaults(machinery, server, object),
    },
    {
      prefix: '/registry/validatingadmissionpolicies/',
      reconcile: (object) => reconcilePolicyStatus(machinery, policies, object),
    },
    {
      prefix: '/registry/clusterroles/',
      reconcile: (object) => aggregateRole(machinery, aggregation, object),
      concerned: (states) => rolesThatAggregate(machinery, states),
    },
    ...storageProtections.map((protection): Controller => {
      const client = clientOf(machinery, protection.controller);
      return {
        prefix: protection.prefix,
        reconcile: (object) => releaseUnused(machinery, client, protection, object),
      };
    }),
  ];
}

async function collectGarbage(machinery: Machinery, signal: AbortSignal): Promise<void> {
  const { cache } = machinery.registry;
  const client = clientOf(machinery, 'generic-garbage-collector');
  await follow(machinery, { prefix: '/registry/', signal }, async (entries) => {
    const collector = new GarbageCollector(machinery, client);
    for (const entry of entries) await collector.put(entry.key, cache.objectOf(entry));
    return (event) => collector.apply(event);
  });
}

async function run(
  machinery: Machinery,
  controller: Controller,
  signal: AbortSignal,
): Promise<void> {
  const { registry, options } = machinery;
  const { prefix, reconcile } = controller;
  const queue = new WorkQueue(
    async (key) => {
      const entry = await registry.store.get(key);
      return entry && reconcile(registry.cache.objectOf(entry));
    },
    options.clock,
    signal,
  );
  await follow(machinery, { prefix, signal }, async (entries) => {
    for (const { key } of entries) queue.add(key);
    return (event) => queueEvent(machinery, controller, event, queue);
  });
}

async function queueEvent(
  { registry, cluster }: Machinery,
  { concerned }: Controller,
  event: StoreEvent,
  queue: WorkQueue,
): Promise<void> {
  if (event.type === 'put') queue.add(event.entry.key);
  if (concerned === undefined || event.type === 'progress') return;
  // Which others there are is known from the cluster, which follows the store by itself.
  await cluster.caughtUp(event.type === 'put' ? event.entry.revision : event.revision);
  const entries = [event.previous, ...(event.type === 'put' ? [event.entry] : [])];
  const states = entries.flatMap((entry) => (entry ? [registry.cache.objectOf(entry)] : []));
  for (const key of concerned(states)) queue.add(key);
}
