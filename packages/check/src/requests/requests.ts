import { member } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { isRecord, type Manifest } from '@kubeadmit/manifest';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';

/** Who asks, and where objects go that name no namespace. */
export interface Requester {
  readonly user: string;
  readonly groups: readonly string[];
  readonly namespace: string;
}

/**
 * The request that kube-apiserver would make of creating an object.
 *
 * @param number makes the request's uid, so that the same inputs give the same requests.
 */
export function createRequest(
  manifest: Manifest,
  number: number,
  schemas: Schemas,
  requester: Requester,
): AdmissionRequest {
  const { group, version, kind } = manifest;
  const known = findResourceOfKind(schemas, { group, version, kind });
  const resource = { group, version, resource: known?.resource ?? guessPlural(kind) };
  const namespaced = known?.namespaced ?? manifest.namespace !== '';
  const namespace = namespaced ? manifest.namespace || requester.namespace : '';
  return {
    uid: uid(number),
    kind: { group, version, kind },
    resource,
    requestKind: { group, version, kind },
    requestResource: resource,
    ...(manifest.name === '' ? {} : { name: manifest.name }),
    ...(namespace === '' ? {} : { namespace }),
    operation: 'CREATE',
    userInfo: { username: requester.user, groups: requester.groups },
    object: inNamespace(manifest.object, namespace),
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  };
}

/** The request of an AdmissionReview, `undefined` when it has none; a missing uid is filled in. */
export function reviewRequest(review: Manifest, number: number): AdmissionRequest | undefined {
  const request = member(review.object, 'request');
  if (!isRecord(request)) return undefined;
  return Object.hasOwn(request, 'uid') ? request : { uid: uid(number), ...request };
}

/** kube-apiserver sets the namespace of the path in the object. */
function inNamespace(object: Manifest['object'], namespace: string): Manifest['object'] {
  const { metadata } = object;
  if (namespace === '' || !isRecord(metadata) || member(metadata, 'namespace') === namespace) {
    return object;
  }
  return { ...object, metadata: { ...metadata, namespace } };
}

/** The plural of a kind that no schema has, as Kubernetes guesses it. */
export function guessPlural(kind: string): string {
  const lower = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

function uid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
