import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
  member,
  memberList,
} from '@kubeadmit/apimachinery';
import { convertVersion, type Schemas } from '@kubeadmit/schemas';
import { internalForm, keepInternalForm } from '@kubeadmit/schemas/unstable-internal';
import { convertEvent, isEvent } from './convert-event.ts';
import { plainJson } from './plain-json.ts';

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

/** The names of the versions of a definition in which objects are stored: one. */
export function storedVersions(definition: KubernetesObject): readonly unknown[] {
  return memberList(member(definition, 'spec'), 'versions')
    .filter((version) => member(version, 'storage') === true)
    .map((version) => member(version, 'name'));
}

/** Changes an object, together with the content that the server keeps beyond its version. */
export function changeAlike(
  object: KubernetesObject,
  change: (form: KubernetesObject) => KubernetesObject,
): KubernetesObject {
  const changed = change(object);
  const form = internalForm(object);
  if (form !== object) keepInternalForm(changed, change(form));
  return changed;
}

/** Returns an object in its serialized form, and keeps the server's internal form of it. */
export function plainObject(object: KubernetesObject): KubernetesObject {
  return changeAlike(object, (form) => plainJson(form) as KubernetesObject);
}
