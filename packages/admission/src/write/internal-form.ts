import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { internalForm, keepInternalForm } from '@kubeadmit/schemas/internal';
import { plainJson } from '../plain-json.ts';

/** Changes an object, and what the server holds of it beyond its version, alike. */
export function changeAlike(
  object: KubernetesObject,
  change: (form: KubernetesObject) => KubernetesObject,
): KubernetesObject {
  const changed = change(object);
  const form = internalForm(object);
  if (form !== object) keepInternalForm(changed, change(form));
  return changed;
}

/** An object as it is written; it keeps what the server holds of it beyond its version. */
export function plainObject(object: KubernetesObject): KubernetesObject {
  return changeAlike(object, (form) => plainJson(form) as KubernetesObject);
}
