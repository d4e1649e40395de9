import type { KubernetesObject } from '@kubeadmit/apimachinery';

const priorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/**
 * Returns an object that every cluster has from its start, where it was not given: namespaces with their name label, the
 * ServiceAccount `default` of each, and the two PriorityClasses of the system.
 */
export function assumedObject(
  resource: string,
  namespace: string,
  name: string,
): KubernetesObject | undefined {
  if (resource === 'namespaces') return assumedNamespace(name);
  if (resource === 'serviceaccounts' && name === 'default')
    return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
  if (resource === 'priorityclasses.scheduling.k8s.io' && Object.hasOwn(priorities, name))
    return {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name },
      value: priorities[name],
      preemptionPolicy: 'PreemptLowerPriority',
    };
  return undefined;
}

/** A namespace of which nothing but the name is known. */
export function assumedNamespace(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}
