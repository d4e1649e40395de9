import type { RequestAttributes } from '@kubeadmit/engine';
import { requireAttributes } from './arguments.ts';

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
 * Whether policies and webhooks never receive requests for a resource, in any version and for any subresource.
 *
 * These are kube-apiserver's exclusion list and the policies themselves. Policies on the server's own disk receive
 * some of them ({@link isSeenByStaticPolicies}). Policies receive webhook configurations; stored webhooks do not.
 *
 * @throws TypeError if the request has no `resource` of the form `{ group, version, resource }`
 */
export function isExempt(request: Pick<RequestAttributes, 'resource'>): boolean {
  requireAttributes('isExempt', request);
  const { group, resource } = request.resource;
  return exemptResources.get(resource) === group;
}

/**
 * Whether an exempt resource is one of the policy kinds. Policies that the server reads from its own disk still see
 * them, since no request can change those policies (apiserver policy/generic/plugin.go).
 *
 * @throws TypeError for a request whose resource is not `{ group, version, resource }`
 */
export function isSeenByStaticPolicies(request: Pick<RequestAttributes, 'resource'>): boolean {
  requireAttributes('isSeenByStaticPolicies', request);
  return request.resource.group === registration;
}
