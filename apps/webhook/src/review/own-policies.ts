import type { Cluster } from '@kubeadmit/admission';
import { policyRefusal } from '@kubeadmit/admission/internal';
import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { asNative, ownGroup } from '../cluster/policy-groups.ts';

const changing: readonly string[] = ['CREATE', 'UPDATE'];

/**
 * Why a policy or binding of our own group is refused when it is created or updated: what kube-apiserver would say
 * of the native one, under our group. `undefined` for what it would take, and for all that is none.
 */
export function ownPolicyRefusal(
  cluster: Cluster,
  { resource, subResource, operation = '', object, oldObject }: AdmissionRequest,
): Status | undefined {
  if (resource?.group !== ownGroup || (subResource ?? '') !== '' || object == null)
    return undefined;
  if (!changing.includes(operation)) return undefined;
  return policyRefusal(cluster, asNative(object as KubernetesObject), {
    group: ownGroup,
    old: oldObject == null ? undefined : asNative(oldObject as KubernetesObject),
  });
}
