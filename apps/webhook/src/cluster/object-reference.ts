import { formatGroupVersion, type KubernetesObject, metadataString } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';

/** An object as events and reports refer to it (`v1.ObjectReference`). */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
}

/** Returns a reference to the object of a request. */
export function requestedObject(request: AdmissionRequest): ObjectReference {
  const { kind, requestKind, resource, namespace = '' } = request;
  const { group = '', version = '', kind: name = '' } = requestKind ?? kind ?? {};
  const object = (request.object ?? request.oldObject ?? {}) as KubernetesObject;
  // In kube-apiserver's requests, a namespace is in itself.
  const isNamespace = resource?.group === '' && resource.resource === 'namespaces';
  const uid = metadataString(object, 'uid');
  return {
    apiVersion: formatGroupVersion({ group, version }),
    kind: name,
    name: request.name || metadataString(object, 'name'),
    ...(namespace === '' || isNamespace ? {} : { namespace }),
    ...(uid === '' ? {} : { uid }),
  };
}
