import type { RequestAttributes } from '@kubeadmit/engine/internal';

const authentication = 'authentication.k8s.io';
const authorization = 'authorization.k8s.io';
const registration = 'admissionregistration.k8s.io';

/** The groups of the resources. */
const exemptResources: ReadonlyMap<string, string> = new Map([
  ['selfsubjectreviews', authentication],
  ['tokenreviews', authentication],
  ['localsubjectaccessreviews', authorization],
  ['selfsubjectaccessreviews', authorization],
  ['selfsubjectrulesreviews', authorization],
  ['subjectaccessreviews', authorization],
  ['mutatingadmissionpolicies', registration],
  ['mutatingadmissionpolicybindings', registration],
  ['validatingadmissionpolicies', registration],
  ['validatingadmissionpolicybindings', registration],
]);

/**
 * Whether neither policies nor webhooks ever see the requests of a resource, in any version and for any subresource
 * (kube-apiserver's exclusion list, and the policies themselves). Policies see webhook configurations, webhooks do not.
 */
export function isExempt({ resource }: Pick<RequestAttributes, 'resource'>): boolean {
  return exemptResources.get(resource.resource) === resource.group;
}

/**
 * Whether an exempt resource is of those that policies are made of: these are seen by the policies that the server
 * reads from its own disk, since no request can change them (apiserver policy/generic/plugin.go).
 */
export function isSeenByStaticPolicies({ resource }: Pick<RequestAttributes, 'resource'>): boolean {
  return resource.group === registration;
}
