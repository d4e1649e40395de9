import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { member } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/go/internal';

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

/** Everything that admission plugins assumed about objects that were not given. */
export class PluginAssumptions {
  /** The kinds without an object. */
  readonly #missing = new Set<string>();
  /** The namespaces, by the title of an object that every new cluster has. */
  readonly #initial = new Map<string, Set<string>>();
  /** The titles of objects that others name. */
  readonly #named = new Set<string>();

  /** Records that a resource has no objects. */
  addMissing(resource: string): void {
    const kind = unnamedKinds[resource];
    if (kind !== undefined) this.#missing.add(kind);
  }

  /** Records an object that a new cluster has, apart from namespaces, which are assumed without a remark. */
  addInitial(resource: string, namespace: string, name: string): void {
    const kind = namedKinds[resource];
    if (kind === undefined) return;
    getOrMake(this.#initial, `${kind} ${name}`, () => new Set<string>()).add(namespace);
  }

  /** Records an object that another one names. */
  addNamed(resource: string, namespace: string, name: string): void {
    const title = namespace === '' ? name : `${namespace}/${name}`;
    this.#named.add(`${namedKinds[resource] ?? resource} ${title}`);
  }

  /** Returns one sentence about a new cluster, and one about each object that others name. */
  sentences(): readonly string[] {
    const initial = [...this.#initial].map(([title, namespaces]) => {
      const where = [...namespaces].filter((each) => each !== '').sort();
      return where.length === 0 ? title : `${title} in ${where.join(', ')}`;
    });
    const facts = [...[...this.#missing].sort().map((kind) => `no ${kind}`), ...initial.sort()];
    return [
      ...(facts.length === 0
        ? []
        : [`admission plugins assumed a new cluster: ${facts.join('; ')}`]),
      ...[...this.#named]
        .sort()
        .map((title) => `${title} is not among the inputs; admission plugins assumed it exists`),
    ];
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
