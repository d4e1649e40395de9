import { type KubernetesObject, member } from '@kubeadmit/apimachinery';

/** The kinds of the objects that plugins look up by name, by their resources. */
const namedKinds: Readonly<Record<string, string>> = {
  serviceaccounts: 'ServiceAccount',
  'priorityclasses.scheduling.k8s.io': 'PriorityClass',
  'runtimeclasses.node.k8s.io': 'RuntimeClass',
  'storageclasses.storage.k8s.io': 'StorageClass',
};

/** The kinds that change pods and claims without being named by them. */
const unnamedKinds: Readonly<Record<string, string>> = {
  limitranges: 'LimitRange',
  resourcequotas: 'ResourceQuota',
};

/** The assumptions of admission plugins about objects that were not given. */
export interface AssumedByPlugins {
  /** The state of a new cluster: `no LimitRange`, `no LimitRange in namespace b`, `ServiceAccount default`. */
  readonly newCluster: readonly string[];
  /** The kind and name of each object that others name: `PriorityClass high`, `ServiceAccount shop/web`. */
  readonly named: readonly string[];
}

/** Collects the assumptions of admission plugins about missing objects. */
export class PluginAssumptions {
  readonly #missing = new Set<string>();
  readonly #initial = new Set<string>();
  readonly #named = new Set<string>();

  /** Records that a resource has no objects; with a namespace, that they are in other namespaces. */
  addMissing(resource: string, namespace: string | undefined): void {
    const kind = unnamedKinds[resource];
    if (kind === undefined) return;
    this.#missing.add(`no ${kind}${namespace === undefined ? '' : ` in namespace ${namespace}`}`);
  }

  /** Records an object that a new cluster has, apart from namespaces, which are assumed without a remark. */
  addInitial(resource: string, name: string): void {
    const kind = namedKinds[resource];
    if (kind !== undefined) this.#initial.add(`${kind} ${name}`);
  }

  /** Records an object that another one names. */
  addNamed(resource: string, namespace: string, name: string): void {
    const title = namespace === '' ? name : `${namespace}/${name}`;
    this.#named.add(`${namedKinds[resource] ?? resource} ${title}`);
  }

  /** Returns the assumptions up to now; undefined if there are none. */
  result(): AssumedByPlugins | undefined {
    const newCluster = [...[...this.#missing].sort(), ...[...this.#initial].sort()];
    const named = [...this.#named].sort();
    return newCluster.length + named.length === 0 ? undefined : { newCluster, named };
  }
}

/**
 * Returns an object that a pod or claim names and that was not given, with fields that fit that pod or claim. Undefined
 * for resources whose objects are not assumed.
 */
export function namedObject(
  resource: string,
  { namespace, name, asking }: NamedObject,
): KubernetesObject | undefined {
  const spec = member(asking, 'spec');
  switch (resource) {
    case 'serviceaccounts':
      return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
    case 'priorityclasses.scheduling.k8s.io':
      return {
        apiVersion: 'scheduling.k8s.io/v1',
        kind: 'PriorityClass',
        metadata: { name },
        value: member(spec, 'priority') ?? 0,
        preemptionPolicy: member(spec, 'preemptionPolicy') ?? 'PreemptLowerPriority',
      };
    case 'runtimeclasses.node.k8s.io': {
      const podFixed = member(spec, 'overhead') ?? undefined;
      return {
        apiVersion: 'node.k8s.io/v1',
        kind: 'RuntimeClass',
        metadata: { name },
        handler: name,
        ...(podFixed === undefined ? {} : { overhead: { podFixed } }),
      };
    }
    case 'storageclasses.storage.k8s.io':
      return {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name },
        allowVolumeExpansion: true,
      };
    default:
      return undefined;
  }
}

/** The name of an object, and the object that names it. */
export interface NamedObject {
  readonly namespace: string;
  readonly name: string;
  readonly asking: KubernetesObject | null;
}
