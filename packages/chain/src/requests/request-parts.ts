import {
  type KubernetesObject,
  kindOfObject,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { isRecord } from '@kubeadmit/manifest';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';

/** The members of a request of an AdmissionReview (admission.k8s.io/v1). */
export const requestFields: readonly string[] = [
  'uid',
  'kind',
  'resource',
  'subResource',
  'requestKind',
  'requestResource',
  'requestSubResource',
  'name',
  'namespace',
  'operation',
  'userInfo',
  'object',
  'oldObject',
  'dryRun',
  'options',
];

/** The options that kube-apiserver hands on with an operation; connecting has none. */
export function optionsOf(operation: string): Pick<AdmissionRequest, 'options'> {
  const kinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' };
  if (!Object.hasOwn(kinds, operation)) return {};
  const kind = kinds[operation as keyof typeof kinds];
  return { options: { kind, apiVersion: 'meta.k8s.io/v1' } };
}

/** kube-apiserver sets the namespace of the path in the object. */
export function inNamespace<T extends Readonly<Record<string, unknown>>>(
  object: T,
  namespace: string,
): T {
  const metadata = member(object, 'metadata') ?? {};
  if (namespace === '' || !isRecord(metadata) || member(metadata, 'namespace') === namespace) {
    return object;
  }
  return { ...object, metadata: { ...metadata, namespace } };
}

/** The namespace that the object of a request is in; empty for objects of the cluster, also for a Namespace. */
export function objectNamespace({ kind, namespace }: AdmissionRequest): string {
  return kind && isNamespace(kind) ? '' : String(namespace ?? '');
}

/** Whether a kind is `Namespace`. */
export function isNamespace({ group = '', kind }: NonNullable<AdmissionRequest['kind']>): boolean {
  return group === '' && kind === 'Namespace';
}

/** Returns an object in its namespace; an object of a namespaced kind that names none goes to the given one. */
export function placed(
  object: KubernetesObject,
  schemas: Schemas,
  namespace: string,
): KubernetesObject {
  const kind = kindOfObject(object);
  const isNamespaced = kind && findResourceOfKind(schemas, kind)?.namespaced === true;
  return isNamespaced && metadataString(object, 'namespace') === ''
    ? inNamespace(object, namespace)
    : object;
}

/** The plural of a kind that no schema has, as Kubernetes guesses it. */
export function guessPlural(kind: string): string {
  const lower = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(lower)) return `${lower}es`;
  return /[^aeiou]y$/.test(lower) ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}
