import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { memberList, memberText } from '@kubeadmit/apimachinery/internal';
import type { QuotaEvaluator } from './evaluator.ts';
import { count } from './object-count.ts';

const counted = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers'];

/** Counts services, their node ports and load balancers (quota/v1/evaluator/core/services.go). */
export const serviceEvaluator: QuotaEvaluator = {
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
