import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { member } from '@kubeadmit/apimachinery';
import { claimEvaluator } from './claim-evaluator.ts';
import { deviceClaimEvaluator, deviceClaimsIn } from './device-claim-evaluator.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { aliasedResources, objectCountEvaluator } from './object-count.ts';
import { podEvaluator } from './pod-evaluator.ts';
import { serviceEvaluator } from './service-evaluator.ts';

const special = new Map(
  [podEvaluator, serviceEvaluator, claimEvaluator].map((each) => [each.resource, each]),
);

/** Resources that quotas ignore (pkg/quota/v1/install/registry.go). */
const ignored: ReadonlySet<string> = new Set([
  'bindings',
  'componentstatuses',
  'tokenreviews.authentication.k8s.io',
  'selfsubjectreviews.authentication.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'events',
  'events.events.k8s.io',
]);

/** Returns the evaluator of a resource, named as in `PluginCluster.list`; undefined for ignored ones. */
export function evaluatorOf(resource: string, minor: number): QuotaEvaluator | undefined {
  if (ignored.has(resource)) return undefined;
  if (resource === deviceClaimEvaluator.resource) return deviceClaimsIn(minor);
  return special.get(resource) ?? objectCountEvaluator(resource);
}

/** Returns the evaluators that can count something for the limits of a quota. */
export function evaluatorsFor(quota: KubernetesObject, minor: number): readonly QuotaEvaluator[] {
  const hard = member(member(quota, 'spec'), 'hard');
  const names = typeof hard === 'object' && hard !== null ? Object.keys(hard) : [];
  const objects = names
    .filter((name) => name.startsWith('count/'))
    .map((name) => name.slice('count/'.length));
  const resources = [...special.keys(), deviceClaimEvaluator.resource, ...aliasedResources];
  return [...new Set([...resources, ...objects])].flatMap(
    (resource) => evaluatorOf(resource, minor) ?? [],
  );
}
