import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Machinery } from '../machinery.ts';
import type { StoreEvent } from '../store/store.ts';
import { ControllerClient, controllerUser, serverUser } from './controller-client.ts';
import { reconcileDefinition } from './definition-controller.ts';
import { GarbageCollector } from './garbage-collector.ts';
import { reconcileNamespace } from './namespace-controller.ts';
import { reconcileNamespaceDefaults } from './namespace-defaults.ts';
import { reconcilePolicyStatus } from './type-checking-controller.ts';

/** What is done when an object of a resource has changed. */
interface Controller {
  /** The start of the keys of the objects. */
  readonly prefix: string;
  readonly reconcile: (object: KubernetesObject) => Promise<void>;
}

/** Starts what writes by itself: definitions are always established, the rest runs where the options say so. */
export function startControllers(machinery: Machinery, signal: AbortSignal): void {
  const server = new ControllerClient(machinery, serverUser, 'kube-apiserver');
  const controllers: Controller[] = [
    {
      prefix: '/registry/apiextensions.k8s.io/customresourcedefinitions/',
      reconcile: (object) => reconcileDefinition(machinery, server, object),
    },
  ];
  if (machinery.options.controllers !== false) {
    controllers.push(...smallControllers(machinery));
    void collectGarbage(machinery, signal);
  }
  for (const controller of controllers) void run(machinery, controller, signal);
}

// Those of kube-controller-manager that policies meet.
function smallControllers(machinery: Machinery): readonly Controller[] {
  const client = (name: string): ControllerClient =>
    new ControllerClient(machinery, controllerUser(name), 'kube-controller-manager');
  const namespaces = client('namespace-controller');
  const policies = client('validatingadmissionpolicy-status-controller');
  const server = new ControllerClient(machinery, serverUser, 'kube-controller-manager');
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
  ];
}

async function collectGarbage(machinery: Machinery, signal: AbortSignal): Promise<void> {
  const { registry, options } = machinery;
  const user = controllerUser('generic-garbage-collector');
  const client = new ControllerClient(machinery, user, 'kube-controller-manager');
  while (!signal.aborted) {
    try {
      const collector = new GarbageCollector(machinery, client);
      const { entries, revision } = await registry.store.range({ prefix: '/registry/' });
      for (const entry of entries) await collector.put(entry.key, registry.cache.objectOf(entry));
      const watch = registry.store.watch({ prefix: '/registry/', after: revision, signal });
      for await (const event of watch) await collector.apply(event);
    } catch {
      await options.clock.sleep(1000, signal);
    }
  }
}

// Everything that is there, and then every change; a store that forgot too much is read again.
async function run(
  machinery: Machinery,
  { prefix, reconcile }: Controller,
  signal: AbortSignal,
): Promise<void> {
  const { registry } = machinery;
  while (!signal.aborted) {
    try {
      const { entries, revision } = await registry.store.range({ prefix });
      for (const entry of entries) await reconcile(registry.cache.objectOf(entry));
      const watch = registry.store.watch({ prefix, after: revision, signal });
      for await (const event of watch) await reconcileEvent(machinery, event, reconcile);
    } catch {
      await machinery.options.clock.sleep(1000, signal);
    }
  }
}

async function reconcileEvent(
  { registry }: Machinery,
  event: StoreEvent,
  reconcile: Controller['reconcile'],
): Promise<void> {
  if (event.type !== 'put') return;
  const current = await registry.store.get(event.entry.key);
  if (current !== undefined) await reconcile(registry.cache.objectOf(current));
}
