import {
  type GroupVersionKind,
  type KubernetesObject,
  labelsOf,
  metadataString,
} from '@kubeadmit/apimachinery';
import { isNamespaceKind, type RequestAttributes } from '@kubeadmit/engine';
import type { MatchEnvironment } from '@kubeadmit/matcher';
import { equivalentResources, findKind } from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import type { Cluster } from './cluster.ts';
import { assumedNamespace } from './plugins/assumed-objects.ts';

/** The part of a cluster that is relevant to one request, independent of changes to its object. */
export interface RequestEnvironment {
  readonly match: MatchEnvironment;
  /** The namespace of a name; `undefined` when there is none. */
  readonly findNamespace: (name: string) => KubernetesObject | undefined;
}

/**
 * Makes the environment in which a request is matched and evaluated.
 *
 * @param isStored whether the old object is in the cluster, so that a namespace that is updated or deleted exists
 */
export function requestEnvironment(
  cluster: Cluster,
  request: Pick<RequestAttributes, 'kind' | 'namespace' | 'oldObject' | 'resource' | 'subresource'>,
  { isStored }: { readonly isStored: boolean },
): RequestEnvironment {
  const { schemas, namespaces } = cluster;
  // An unknown namespace is assumed to exist, unless the request is about that namespace itself.
  const assumed = isNamespaceKind(request.kind) ? '' : request.namespace;
  const stored = isStored && isNamespaceKind(request.kind) ? request.oldObject : null;
  const findNamespace = (name: string): KubernetesObject | undefined => {
    const known = namespaces.get(name);
    if (known !== undefined) return known;
    // A namespace that is updated or deleted exists.
    if (stored !== null && metadataString(stored, 'name') === name) return stored;
    return name === assumed && name !== '' ? assumedNamespace(name) : undefined;
  };
  const match: MatchEnvironment = {
    namespaceLabels: (name) => {
      const namespace = findNamespace(name);
      return namespace && labelsOf(namespace);
    },
    equivalents: (resource) => equivalentResources(schemas, resource, request.subresource),
    kindFor: (resource, subresource) =>
      findKind(schemas, resource, subresource) ??
      kindOfUnserved(cluster, request, resource.version, subresource),
  };
  return { match, findNamespace };
}

// A version of a definition that is not served has the kind of the others.
function kindOfUnserved(
  { schemas }: Cluster,
  { resource }: Pick<RequestAttributes, 'resource'>,
  version: string,
  subresource: string,
): GroupVersionKind | undefined {
  const served = findKind(schemas, resource);
  const definition = served && findDefinition(schemas, { ...served, version })?.version;
  if (served === undefined || definition === undefined) return undefined;
  if (subresource === 'scale' && definition.hasScale) {
    return { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  }
  const isKind = subresource === '' || (subresource === 'status' && definition.hasStatus);
  return isKind ? { ...served, version } : undefined;
}
