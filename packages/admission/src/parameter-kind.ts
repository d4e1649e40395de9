import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { groupVersionKindOf } from '@kubeadmit/apimachinery/internal';
import type { ParamKind } from '@kubeadmit/engine/internal';
import { findResourceOfKind, listResources, type Schemas } from '@kubeadmit/schemas';

/** What a policy's `paramKind` stands for. */
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
