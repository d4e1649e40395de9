import {
  formatGroupVersion,
  type GroupVersionKind,
  groupVersionKindOf,
  type KubernetesObject,
  member,
} from '@kubeadmit/apimachinery';
import type { ParamKind } from '@kubeadmit/engine';
import { decode, findResourceOfKind, listResources, type Schemas } from '@kubeadmit/schemas';
import { structOf } from '@kubeadmit/schemas/types';
import { convertObject } from './convert-object.ts';

/** The kind that a policy's `paramKind` refers to. */
export interface ParameterKind {
  /** The kind of the objects. */
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  /** Whether clients can list and watch the objects; of others, such as reviews, no policy ever gets any. */
  readonly isWatched: boolean;
}

/**
 * The kind that a `paramKind` names, in its own letters or in small ones, as kube-apiserver looks for it (client-go
 * `NewDiscoveryRESTMapper`); undefined for one that the server does not have.
 */
export function parameterKind(
  schemas: Schemas,
  { apiVersion = '', kind = '' }: ParamKind,
): ParameterKind | undefined {
  const wanted = groupVersionKindOf(apiVersion, kind);
  const resource =
    findResourceOfKind(schemas, wanted) ??
    listResources(schemas).find(
      ({ group, version, kind: own }) =>
        group === wanted.group && version === wanted.version && own.toLowerCase() === kind,
    );
  if (resource === undefined) return undefined;
  return {
    kind: { ...wanted, kind: resource.kind },
    namespaced: resource.namespaced,
    isWatched: resource.verbs.includes('list') && resource.verbs.includes('watch'),
  };
}

/**
 * An object of a kind of parameters in the version that a policy asks for; undefined where it cannot be converted.
 * Custom resources get the defaults of the version, which built-in kinds keep from when they were stored.
 */
export function parameterInVersion(
  schemas: Schemas,
  object: KubernetesObject,
  kind: GroupVersionKind,
): KubernetesObject | undefined {
  const apiVersion = formatGroupVersion(kind);
  if (member(object, 'apiVersion') === apiVersion) return object;
  if (structOf(schemas, kind) === undefined)
    return decode(schemas, { ...object, apiVersion }).object;
  const converted = convertObject(schemas, object, kind);
  return typeof converted === 'string' ? undefined : converted;
}

/** The `paramKind` of a policy; undefined for one without, and for a binding. */
export function paramKindOf(policy: KubernetesObject): ParamKind | undefined {
  return (member(member(policy, 'spec'), 'paramKind') ?? undefined) as ParamKind | undefined;
}

/** The name that a `paramKind` goes by: `APIVERSION KIND`. */
export function paramKey({ apiVersion = '', kind = '' }: ParamKind): string {
  return `${apiVersion} ${kind}`;
}

/** A group and kind, whatever the version is. */
export function groupKindKey({ group, kind }: GroupVersionKind): string {
  return formatGroupVersion({ group, version: kind });
}
