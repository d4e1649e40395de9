import { apiVersionOf, type GroupVersionKind, type KubernetesObject } from '@kubeadmit/engine';
import { decode, findDefinition, type Schemas } from '@kubeadmit/schemas';

/**
 * Gives an object in another version of its kind, or a text that says why not.
 *
 * Custom resources change nothing but their `apiVersion`, as with the conversion strategy None.
 */
export function convertObject(
  schemas: Schemas,
  object: KubernetesObject,
  _from: GroupVersionKind,
  to: GroupVersionKind,
): KubernetesObject | string {
  const renamed = { ...object, apiVersion: apiVersionOf(to) };
  if (findDefinition(schemas, to) !== undefined) return renamed;
  const decoded = decode(schemas, { ...renamed, kind: to.kind }, { kind: to });
  return decoded.object ?? decoded.error ?? '';
}
