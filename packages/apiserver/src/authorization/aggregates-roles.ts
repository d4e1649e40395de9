import { type KubernetesObject, member } from '@kubeadmit/apimachinery';

/** Whether a role takes its rules from others (`aggregationRule` of a ClusterRole). */
export function aggregatesRoles(role: KubernetesObject): boolean {
  return Boolean(member(role, 'aggregationRule'));
}
