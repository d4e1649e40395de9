import type { PluginCluster } from '@kubeadmit/admission/plugins';
import { formatGroupName, type KubernetesObject } from '@kubeadmit/apimachinery';
import type { Authorizer } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { endpointOf } from '../kinds/endpoint.ts';
import { generateName } from '../objects/generated-name.ts';

/** The state of a server that its admission plugins read. */
export interface PluginClusterOptions {
  readonly minor: number;
  readonly schemas: () => Schemas;
  readonly authorizer: () => Authorizer;
  readonly now: () => number;
  readonly randomUid: () => string;
  /** The kept objects by their keys, for the start of their keys. */
  readonly kept: ReadonlyMap<string, ReadonlyMap<string, KubernetesObject>>;
  /** The starts of keys by resource; see {@link prefixesOf}. */
  readonly prefixes: ReadonlyMap<string, string>;
}

/** The objects of a server as its admission plugins see them. */
export class ServerPluginCluster implements PluginCluster {
  readonly minor: number;
  readonly now: () => number;
  readonly #options: PluginClusterOptions;

  constructor(options: PluginClusterOptions) {
    this.minor = options.minor;
    this.now = options.now;
    this.#options = options;
  }

  get schemas(): Schemas {
    return this.#options.schemas();
  }

  get authorizer(): Authorizer {
    return this.#options.authorizer();
  }

  generateName(base: string): string {
    return generateName(base, this.#options.randomUid);
  }

  get(resource: string, namespace: string, name: string): KubernetesObject | undefined {
    const { kept, prefixes } = this.#options;
    const prefix = prefixes.get(resource) ?? '';
    const place = namespace === '' ? name : `${namespace}/${name}`;
    return kept.get(prefix)?.get(prefix + place);
  }

  list(resource: string, namespace?: string): readonly KubernetesObject[] {
    const { kept, prefixes } = this.#options;
    const prefix = prefixes.get(resource) ?? '';
    const objects = kept.get(prefix);
    if (objects === undefined || objects.size === 0) return [];
    const start = namespace === undefined ? prefix : `${prefix}${namespace}/`;
    return [...objects.entries()]
      .filter(([key]) => key.startsWith(start))
      .sort(([a], [b]) => compareText(a, b))
      .map(([, object]) => object);
  }
}

/** The start of the keys of each resource that plugins read; resources that the version lacks are left out. */
export function prefixesOf(
  schemas: Schemas,
  reads: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const prefixes = new Map<string, string>();
  for (const resource of listResources(schemas)) {
    const name = formatGroupName({ group: resource.group, name: resource.resource });
    if (reads.has(name)) prefixes.set(name, endpointOf(schemas, resource).keyPrefix);
  }
  return prefixes;
}
