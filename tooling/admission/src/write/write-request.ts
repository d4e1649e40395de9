import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import type { Fields } from './pods.ts';

/** The request of a case of `kubeadmit write -`. */
export interface WriteRequest {
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly resource: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
  };
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly object?: KubernetesObject;
  readonly oldObject?: KubernetesObject;
  readonly patch?: unknown;
  readonly patchType?: string;
  readonly user?: { readonly username: string; readonly groups: readonly string[] };
}

/** The place where a request is made. */
export interface Stage {
  readonly random: Random;
  readonly namespace: string;
  /** A number that makes names unique. */
  readonly number: number;
  /** The stored objects of the namespace and of the cluster, as the server returns them. */
  readonly stored: readonly KubernetesObject[];
}

/** Makes a request, or none if the stage lacks the object that it is about. */
export type MakeRequest = (stage: Stage) => WriteRequest | undefined;

export type Requests = readonly (readonly [weight: number, make: MakeRequest])[];

/** A request that creates an object; without a namespace for kinds of the cluster. */
export function creation(
  namespace: string | undefined,
  apiVersion: string,
  resource: string,
  kind: string,
  body: Fields,
): WriteRequest {
  const object = { apiVersion, kind, ...body } as KubernetesObject;
  return {
    verb: 'create',
    resource: resourceOf(apiVersion, resource),
    ...(namespace === undefined ? {} : { namespace }),
    object,
  };
}

/** The resource of an `apiVersion`. */
export function resourceOf(apiVersion: string, resource: string): WriteRequest['resource'] {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return { group: group ?? '', version: version ?? '', resource };
}

/** A request that replaces a stored object or one of its subresources. */
export function replacement(
  stored: KubernetesObject,
  resource: string,
  change: (object: KubernetesObject) => KubernetesObject,
  subresource?: string,
): WriteRequest {
  const { name = '', namespace } = metadataOf(stored);
  return {
    verb: 'update',
    resource: resourceOf(String(stored['apiVersion']), resource),
    ...(subresource === undefined ? {} : { subresource }),
    ...(namespace === undefined ? {} : { namespace }),
    name,
    object: change(stored),
    oldObject: stored,
  };
}

export function metadataOf(object: KubernetesObject): {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Fields;
  readonly annotations?: Fields;
} {
  return object['metadata'] as ReturnType<typeof metadataOf>;
}

/** An object with other metadata. */
export function withMetadata(object: KubernetesObject, changes: Fields): KubernetesObject {
  return { ...object, metadata: { ...(object['metadata'] as Fields), ...changes } };
}

/** An object with another specification. */
export function withSpec(object: KubernetesObject, changes: Fields): KubernetesObject {
  return { ...object, spec: { ...(object['spec'] as Fields), ...changes } };
}

/** A stored object of a kind; undefined if none is stored. */
export function storedOf(
  { random, stored, namespace }: Stage,
  kind: string,
): KubernetesObject | undefined {
  const found = stored.filter(
    (object) =>
      object['kind'] === kind && [undefined, namespace].includes(metadataOf(object).namespace),
  );
  return found.length === 0 ? undefined : random.pick(found);
}
