import { type KubernetesObject, labelsOf, member, memberText } from '@kubeadmit/apimachinery';
import {
  compareQuantities,
  type Quantity,
  quantityOfInteger,
} from '@kubeadmit/apimachinery/quantity';
import { quote } from '@kubeadmit/go';
import {
  aggregateContainers,
  isPodLevelResource,
  specifiedResources,
  withPodLevel,
} from '../resources/pod-resources.ts';
import { addResources, type ResourceList, readResources } from '../resources/resource-list.ts';
import { isFeatureOn } from '../versions/feature-gates.data.ts';
import { metadataOf } from '../write/metadata.ts';
import type { AdmissionPlugin, PluginRequest } from './plugin.ts';
import { forbid } from './refusal.ts';

/** Refuses larger resources of a running pod that do not fit on its node. */
export const podResizeValidator: AdmissionPlugin = {
  name: 'PodResizeValidator',
  operations: ['UPDATE'],
  reads: ['nodes'],
  validate: (request, cluster) => {
    const { object, oldObject } = request;
    if (object === null || oldObject === null || !isResize(request)) return undefined;
    if (!isFeatureOn('InPlacePodVerticalScaling', cluster.minor)) return undefined;
    const name = memberText(member(object, 'spec'), 'nodeName');
    if (name === '' || metadataOf(object).generation === metadataOf(oldObject).generation)
      return undefined;
    const node = cluster.get('nodes', '', name);
    if (node === undefined) return forbid(request, `node ${quote(name)} not found`);
    const system = labelsOf(node)['kubernetes.io/os'] ?? 'linux';
    if (system !== 'linux') {
      const text = `pod resize is only supported on linux nodes, node ${quote(name)} is ${quote(system)}`;
      return { ...forbid(request, text, [{ reason: 'UnsupportedPlatform' }]), causes: [node] };
    }
    const missing = missingCapacity(object, node);
    if (missing.length === 0) return undefined;
    const text = `node didn't have enough allocatable resources: ${missing.join('; ')}`;
    return { ...forbid(request, text, [{ reason: 'NodeCapacity' }]), causes: [node] };
  },
};

function isResize({ resource, subresource }: PluginRequest): boolean {
  return resource.group === '' && resource.resource === 'pods' && subresource === 'resize';
}

function missingCapacity(pod: KubernetesObject, node: KubernetesObject): readonly string[] {
  const requests = requestsOf(pod);
  const allocatable = readResources(member(member(node, 'status'), 'allocatable'));
  const zero = quantityOfInteger(0n);
  return ['cpu', 'memory'].flatMap((name) => {
    const [wanted, free] = [requests.get(name) ?? zero, allocatable.get(name) ?? zero];
    if (compareQuantities(wanted, free) <= 0) return [];
    const scale = name === 'cpu' ? 3 : 0;
    const [requested, available] = [wanted, free].map((each) => scaledUp(each, scale));
    return [`${name}, requested: ${requested}, allocatable: ${available}`];
  });
}

/** Returns the requests of a pod with its overhead (component-helpers/resource `PodRequests`). */
function requestsOf(pod: KubernetesObject): ResourceList {
  const spec = member(pod, 'spec');
  const containers = aggregateContainers(pod, (each) => specifiedResources(each, 'requests'));
  const own = specifiedResources(spec, 'requests');
  const all = withPodLevel(containers, own, isPodLevelResource);
  return addResources(all, readResources(member(spec, 'overhead')));
}

/** Returns a quantity times a power of ten, rounded up (`Quantity.ScaledValue`). */
function scaledUp({ unscaled, exponent }: Quantity, scale: number): bigint {
  const power = exponent + scale;
  if (power >= 0) return unscaled * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return unscaled / divisor + (unscaled % divisor > 0n ? 1n : 0n);
}
