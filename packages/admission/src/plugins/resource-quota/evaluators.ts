import { type KubernetesObject, member, memberList, memberText } from '@kubeadmit/apimachinery';
import { claimEvaluator } from './claim-evaluator.ts';
import { deviceClaimEvaluator, deviceClaimsIn } from './device-claim-evaluator.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { aliasedResources, count, objectCountEvaluator } from './object-count.ts';
import { podEvaluator } from './pod-evaluator.ts';

const counted = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

/** Counts services, their node ports and load balancers (quota/v1/evaluator/core/services.go). */
const serviceEvaluator: QuotaEvaluator = {
  resource: 'services',
  handles: ({ operation, subresource }) =>
    subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matchingNames: (names) => counted.filter((name) => names.includes(name)),
  usage: (service) => {
    const type = memberText(member(service, 'spec'), 'type');
    return new Map([
      ['count/services', count(1)],
      ['services', count(1)],
      ['services.loadbalancers', count(type === 'LoadBalancer' ? 1 : 0)],
      ['services.nodeports', count(nodePorts(service, type))],
    ]);
  },
};

/** Ports that will be allocated count; a load balancer without allocation has those that are set. */
function nodePorts(service: KubernetesObject, type: string): number {
  if (type !== 'NodePort' && type !== 'LoadBalancer') return 0;
  const spec = member(service, 'spec');
  const ports = memberList(spec, 'ports');
  if (type === 'NodePort' || member(spec, 'allocateLoadBalancerNodePorts') !== false) {
    return ports.length;
  }
  return ports.filter((port) => Number(member(port, 'nodePort') ?? 0) !== 0).length;
}

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
