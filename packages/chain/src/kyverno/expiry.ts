import { type KubernetesObject, labelsOf, metadataString } from '@kubeadmit/apimachinery';
import { deletionTime } from '@kubeadmit/kyverno/background';
import { timeToLiveLabel } from '../readers/kyverno-role.ts';

/**
 * Returns the time in milliseconds since 1970 at which an object is deleted by its label, or `undefined` if the label is
 * missing or invalid.
 */
export function expiryOf(object: KubernetesObject): number | undefined {
  const value = labelsOf(object)[timeToLiveLabel] ?? '';
  return deletionTime(value, Date.parse(metadataString(object, 'creationTimestamp')));
}
