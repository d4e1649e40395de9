import {
  formatGroupName,
  type KubernetesObject,
  kindOfObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { Authorizer } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import { convertVersion, findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { generatedName } from '../write/client-request.ts';
import type { PluginCluster } from './plugin.ts';

/** The inputs of an {@link ObjectCluster}. */
export interface ObjectClusterOptions {
  readonly schemas: Schemas;
  readonly minor: number;
  readonly authorizer: Authorizer;
  readonly now: () => number;
  /** Returns an object that is assumed to exist although it was not given; default none. */
  readonly assume?: PluginCluster['get'] | undefined;
}

/** A cluster of given objects for admission plugins. */
export class ObjectCluster implements PluginCluster {
  readonly schemas: Schemas;
  readonly minor: number;
  readonly authorizer: Authorizer;
  readonly now: () => number;
  readonly #assume: PluginCluster['get'] | undefined;
  readonly #objects: Map<string, Map<string, KubernetesObject>> = new Map();

  constructor({ schemas, minor, authorizer, now, assume }: ObjectClusterOptions) {
    this.schemas = schemas;
    this.minor = minor;
    this.authorizer = authorizer;
    this.now = now;
    this.#assume = assume;
  }

  /** Adds a decoded object of a resource, which replaces one of the same name. */
  put(resource: string, object: KubernetesObject): void {
    const key = keyOf(metadataString(object, 'namespace'), metadataString(object, 'name'));
    getOrMake(this.#objects, resource, () => new Map<string, KubernetesObject>()).set(key, object);
  }

  /** Adds a decoded object in its version of v1, if its resource is among those that are read (default all). */
  add(object: KubernetesObject, reads?: ReadonlySet<string>): void {
    const kind = kindOfObject(object);
    const resource = kind && findResourceOfKind(this.schemas, kind);
    if (kind === undefined || resource === undefined) return;
    const name = formatGroupName({ group: resource.group, name: resource.resource });
    if (reads?.has(name) === false) return;
    const v1 = convertVersion(this.schemas, object, { ...kind, version: 'v1' });
    this.put(name, v1.object ?? object);
  }

  /** Removes an object of a resource. */
  remove(resource: string, namespace: string, name: string): void {
    this.#objects.get(resource)?.delete(keyOf(namespace, name));
  }

  get(resource: string, namespace: string, name: string): KubernetesObject | undefined {
    const given = this.#objects.get(resource)?.get(keyOf(namespace, name));
    return given ?? this.#assume?.(resource, namespace, name);
  }

  generateName(base: string): string {
    return generatedName(base);
  }

  list(resource: string, namespace?: string): readonly KubernetesObject[] {
    const objects = this.#objects.get(resource);
    if (objects === undefined) return [];
    return [...objects.entries()]
      .filter(([key]) => namespace === undefined || key.startsWith(`${namespace}/`))
      .sort(([a], [b]) => compareText(a, b))
      .map(([, object]) => object);
  }
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
