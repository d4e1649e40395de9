import { type KubernetesObject, memberObject } from '@kubeadmit/apimachinery';
import { changeAlike } from '../write/to-version.ts';

/** Returns an object with other members of its spec. */
export function withSpec(
  object: KubernetesObject,
  changes: Readonly<Record<string, unknown>>,
): KubernetesObject {
  return changeAlike(object, (form) => ({
    ...form,
    spec: { ...memberObject(form, 'spec'), ...changes },
  }));
}
