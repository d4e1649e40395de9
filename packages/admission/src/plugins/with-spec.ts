import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { memberObject } from '@kubeadmit/apimachinery/internal';
import { withMember } from '../write/metadata.ts';

/** Returns an object with other members of its spec. */
export function withSpec(
  object: KubernetesObject,
  changes: Readonly<Record<string, unknown>>,
): KubernetesObject {
  return withMember(object, 'spec', { ...memberObject(object, 'spec'), ...changes });
}
