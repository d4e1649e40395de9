import type { KubernetesObject } from '@kubeadmit/apimachinery';

/** The group of kube-apiserver's own policies. */
export const nativeGroup = 'admissionregistration.k8s.io';

/** The group of the policies that clusters without the native kinds can have (`manifests/definitions.yaml`). */
export const ownGroup = 'policies.kubeadmit.dev';

/** The kinds of policies and their bindings with their resources; they are the same in both groups. */
export const policyResources: ReadonlyMap<string, string> = new Map([
  ['ValidatingAdmissionPolicy', 'validatingadmissionpolicies'],
  ['ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings'],
  ['MutatingAdmissionPolicy', 'mutatingadmissionpolicies'],
  ['MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings'],
]);

/** A policy of our own group as the native one that it is in all but its group. */
export function asNative(object: KubernetesObject): KubernetesObject {
  return String(object['apiVersion']).startsWith(`${ownGroup}/`)
    ? { ...object, apiVersion: `${nativeGroup}/v1` }
    : object;
}
