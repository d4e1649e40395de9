import type { RequestAttributes } from '@kubeadmit/engine';

const all = '*';

// By group: the resources that a cluster needs to recover from a bad policy, and those that kube-apiserver's own
// plugins exempt.
const exemptResources: ReadonlyMap<string, readonly string[]> = new Map([
  ['', ['events']],
  ['events.k8s.io', ['events']],
  ['coordination.k8s.io', ['leases']],
  ['authentication.k8s.io', ['tokenreviews', 'selfsubjectreviews']],
  ['authorization.k8s.io', [all]],
  ['admissionregistration.k8s.io', [all]],
  ['policies.kubeadmit.dev', [all]],
  ['kyverno.io', ['clusterpolicies', 'policies', 'policyexceptions']],
  ['policies.kyverno.io', [all]],
  // Policy reports: a report about a report would require another one.
  ['wgpolicyk8s.io', [all]],
  ['openreports.io', [all]],
]);

/**
 * Whether a request is always allowed, so that no policy can lock anyone out of the cluster.
 *
 * These are requests in excluded namespaces, and those for events, leases, reviews, reports, policies and webhook
 * configurations.
 */
export function isExempt(
  { resource, namespace }: Pick<RequestAttributes, 'resource' | 'namespace'>,
  excludedNamespaces: ReadonlySet<string>,
): boolean {
  if (namespace !== '' && excludedNamespaces.has(namespace)) return true;
  const resources = exemptResources.get(resource.group) ?? [];
  return resources.includes(all) || resources.includes(resource.resource);
}
