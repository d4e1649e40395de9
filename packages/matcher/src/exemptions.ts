import type { RequestAttributes } from '@kubeadmit/engine/internal';

const exemptResources: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
]);

/**
 * Whether neither policies nor webhooks ever see the requests of a resource, in any version and for any subresource
 * (kube-apiserver's exclusion list, and the policies themselves). Policies see webhook configurations, webhooks do not.
 */
export function isExempt({ resource }: Pick<RequestAttributes, 'resource'>): boolean {
  return exemptResources.has(`${resource.resource}.${resource.group}`);
}
