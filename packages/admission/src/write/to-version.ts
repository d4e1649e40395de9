import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
} from '@kubeadmit/apimachinery';
import { convertVersion, type Schemas } from '@kubeadmit/schemas';
import { convertEvent, isEvent } from './convert-event.ts';
import { plainObject } from './internal-form.ts';

/** Converts an object to another version of its kind, or returns why that cannot be done. */
export function toVersion(
  schemas: Schemas,
  object: KubernetesObject,
  kind: GroupVersionKind,
): { readonly object: KubernetesObject } | { readonly error: string } {
  if (object['apiVersion'] === formatGroupVersion(kind)) return { object };
  const named = isEvent(kind) ? convertEvent(object, kind) : object;
  const { object: converted, error = '' } = convertVersion(schemas, named, kind);
  return converted === undefined ? { error } : { object: plainObject(converted) };
}
