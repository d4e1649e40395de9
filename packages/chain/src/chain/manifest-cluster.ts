import type { Cluster } from '@kubeadmit/admission';
import {
  loadPlugins,
  type PluginCluster,
  type PluginRequest,
  type PluginSelection,
  type PluginSet,
  type PluginWrite,
} from '@kubeadmit/admission/plugins';
import {
  assumedObject,
  type ClusterPlugins,
  ObjectCluster,
} from '@kubeadmit/admission/unstable-internal';
import {
  formatGroupName,
  type GroupVersionKind,
  type KubernetesObject,
  kindOfObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import { timeOf } from '@kubeadmit/base';
import { newestMinor, parseVersion } from '@kubeadmit/engine';
import { decode, findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { placed } from '../requests/request-parts.ts';
import { type AssumedByPlugins, namedObject, PluginAssumptions } from './plugin-assumptions.ts';

/** An object and its kind; the object is only read if plugins need it. */
export interface PluginObject extends GroupVersionKind {
  readonly object: KubernetesObject;
}

/** The admission plugins of a chain beside policies, and the objects that they find in the cluster. */
export interface ChainPlugins {
  /** A set by its name, or the names of plugins. */
  readonly selection: PluginSelection;
  /** More plugins; default none. */
  readonly enable?: readonly string[] | undefined;
  /** The namespace of objects that name none; default `default`. */
  readonly namespace?: string | undefined;
  /** Objects of the cluster beside the resources of the chain; default none. */
  readonly existing?: readonly PluginObject[] | undefined;
  /**
   * Objects that requests are about to create. Plugins find them, whatever the order; quotas count them when their
   * request is admitted. Default none.
   */
  readonly created?: readonly PluginObject[] | undefined;
  /**
   * Whether plugins refuse objects that name an unknown ServiceAccount, PriorityClass, RuntimeClass or StorageClass, as
   * a cluster does. Default false: those objects are assumed to exist.
   */
  readonly refusesUnknown?: boolean | undefined;
}

/** The cluster of a chain, as far as plugins need it. */
export interface ManifestClusterOptions extends ChainPlugins {
  readonly cluster: Pick<Cluster, 'schemas' | 'authorizer'>;
  readonly resources: readonly KubernetesObject[];
  readonly kubernetesVersion: string | undefined;
  readonly clock: () => number;
}

/** A cluster of manifests for admission plugins, in which usage grows with each admitted request. */
export class ManifestCluster {
  /** The plugins, for a cluster of `@kubeadmit/admission`. */
  readonly plugins: ClusterPlugins;
  readonly #objects: ObjectCluster;
  readonly #assumptions = new PluginAssumptions();

  /** Loads the selected plugins; rejects with a TypeError for an unknown or unsupported one. */
  static async load(options: ManifestClusterOptions): Promise<ManifestCluster> {
    const { selection, enable, kubernetesVersion } = options;
    const minor = kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion);
    const set = await loadPlugins({ plugins: selection, enable, minor });
    return new ManifestCluster(options, { set, minor });
  }

  private constructor(
    options: ManifestClusterOptions,
    { set, minor }: { readonly set: PluginSet; readonly minor: number },
  ) {
    const { cluster, clock } = options;
    const { schemas, authorizer } = cluster;
    this.#objects = new ObjectCluster({ schemas, minor, authorizer, now: clock });
    this.#add(options, set);
    const { refusesUnknown = false } = options;
    const parts = { objects: this.#objects, assumptions: this.#assumptions, refusesUnknown };
    this.plugins = {
      set,
      cluster: this.#objects,
      clusterFor: (request) => new RequestCluster(request, parts),
    };
  }

  /** Stores the new usage of quotas after an admitted request. */
  store(writes: readonly PluginWrite[]): void {
    for (const { object } of writes) this.#objects.add(object);
  }

  /** Returns the assumptions of plugins about missing objects, or `undefined` if there are none. */
  assumed(): AssumedByPlugins | undefined {
    return this.#assumptions.result();
  }

  #add(options: ManifestClusterOptions, set: PluginSet): void {
    const { resources, existing = [], created = [], clock, namespace = 'default' } = options;
    const { schemas } = options.cluster;
    const decoded = (object: KubernetesObject): readonly KubernetesObject[] => {
      const read = decode(schemas, placed(object, schemas, namespace), { now: timeOf(clock) });
      return read.object === undefined || read.error !== undefined ? [] : [read.object];
    };
    const isRead = (kind: GroupVersionKind): boolean => set.reads.has(resourceOf(schemas, kind));
    const given = [...resources.map((object) => ({ object })), ...existing];
    const isLimited = [...given, ...created].some((each) => hasUsage(each, schemas, set));
    // The usage of quotas counts objects of any kind.
    for (const { object } of given) {
      const kind = kindOfObject(object);
      if (kind === undefined || (!isLimited && !isRead(kind))) continue;
      for (const one of decoded(object)) this.#objects.add(one);
    }
    // Plugins count pods: those of later requests do not exist yet.
    const pending = created
      .filter((kind) => isRead(kind) && resourceOf(schemas, kind) !== 'pods')
      .flatMap(({ object }) => decoded(object));
    const completed = pending.map((object) => this.#complete(object, set));
    for (const resource of set.completing.keys())
      for (const object of this.#objects.list(resource))
        this.#objects.add(this.#complete(object, set));
    for (const object of completed) this.#objects.add(object);
  }

  /** Returns an object with the status that its controller would set. */
  #complete(object: KubernetesObject, { completing }: PluginSet): KubernetesObject {
    const kind = kindOfObject(object);
    const complete = kind && completing.get(resourceOf(this.#objects.schemas, kind));
    return complete?.(object, this.#objects) ?? object;
  }
}

function hasUsage(
  { object, ...given }: Partial<GroupVersionKind> & { readonly object: KubernetesObject },
  schemas: Schemas,
  { completing }: PluginSet,
): boolean {
  const { group, version, kind } = given;
  const own =
    group === undefined || version === undefined || kind === undefined
      ? kindOfObject(object)
      : { group, version, kind };
  return own !== undefined && completing.has(resourceOf(schemas, own));
}

/** Returns the name of the resource of a kind as plugins write it; empty for unknown kinds. */
function resourceOf(schemas: Schemas, kind: GroupVersionKind): string {
  const found = findResourceOfKind(schemas, kind);
  return found === undefined ? '' : formatGroupName({ group: found.group, name: found.resource });
}

interface ClusterParts {
  readonly objects: ObjectCluster;
  readonly assumptions: PluginAssumptions;
  readonly refusesUnknown: boolean;
}

/** The cluster as one request finds it: without the object that it creates. */
class RequestCluster implements PluginCluster {
  readonly #request: PluginRequest;
  readonly #parts: ClusterParts;
  /** The resource of the request, as plugins write it. */
  readonly #resource: string;

  constructor(request: PluginRequest, parts: ClusterParts) {
    const { group, resource } = request.resource;
    this.#request = request;
    this.#parts = parts;
    this.#resource = formatGroupName({ group, name: resource });
  }

  get schemas(): Schemas {
    return this.#parts.objects.schemas;
  }

  get minor(): number {
    return this.#parts.objects.minor;
  }

  get authorizer(): PluginCluster['authorizer'] {
    return this.#parts.objects.authorizer;
  }

  get now(): PluginCluster['now'] {
    return this.#parts.objects.now;
  }

  generateName(base: string): string {
    return this.#parts.objects.generateName(base);
  }

  get(resource: string, namespace: string, name: string): KubernetesObject | undefined {
    const { objects, assumptions, refusesUnknown } = this.#parts;
    const given = objects.get(resource, namespace, name);
    if (given !== undefined) return this.#isCreated(resource, given) ? undefined : given;
    const initial = assumedObject(resource, namespace, name);
    if (initial !== undefined) {
      assumptions.addInitial(resource, name);
      return initial;
    }
    if (refusesUnknown) return undefined;
    const asking = this.#request.object;
    const named = namedObject(resource, { namespace, name, asking });
    if (named !== undefined) assumptions.addNamed(resource, namespace, name);
    return named;
  }

  list(resource: string, namespace?: string): readonly KubernetesObject[] {
    const { objects, assumptions } = this.#parts;
    const found = objects.list(resource, namespace);
    if (found.length === 0) {
      if (limitedKinds.has(this.#request.kind.kind)) {
        const isElsewhere = objects.list(resource).length > 0;
        assumptions.addMissing(resource, isElsewhere ? namespace : undefined);
      }
      return found;
    }
    return resource === this.#resource
      ? found.filter((each) => !this.#isCreated(resource, each))
      : found;
  }

  #isCreated(resource: string, object: KubernetesObject): boolean {
    const { operation, namespace, name } = this.#request;
    if (operation !== 'CREATE' || resource !== this.#resource || resource === 'namespaces')
      return false;
    const own = metadataString(object, 'namespace');
    return metadataString(object, 'name') === name && (own === '' || own === namespace);
  }
}

/** The kinds that LimitRanges and the quotas of resources are about. */
const limitedKinds: ReadonlySet<string> = new Set(['Pod', 'PersistentVolumeClaim']);
