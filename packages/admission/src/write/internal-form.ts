import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { internalForm, keepInternalForm } from '@kubeadmit/schemas/internal';
import { plainJson } from './plain-json.ts';

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
