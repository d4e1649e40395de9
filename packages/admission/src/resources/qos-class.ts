import { isObject, type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import {
  compareQuantities,
  quantityOfInteger,
  signOfQuantity,
} from '@kubeadmit/apimachinery/quantity';
import { hasPodLevelResources } from './pod-resources.ts';
import { type ResourceList, readResources } from './resource-list.ts';

const zero = quantityOfInteger(0n);

type QosClass = 'BestEffort' | 'Burstable' | 'Guaranteed';

/** The first minor version in which a pod itself can set resources by default (feature gate PodLevelResources). */
const podLevelSince = 34;
/** The first one in which empty resources of a pod do not count (PodLevelResourcesFixKubeletQOSClass). */
const emptyIgnoredSince = 37;

/**
 * Returns the quality of service of a pod from its requests and limits (apis/core/v1/helper/qos `ComputePodQOS`).
 *
 * @param minor the minor version of the server, such as 37
 */
export function computeQosClass(pod: KubernetesObject, minor: number): QosClass {
  const spec = member(pod, 'spec');
  const own = member(spec, 'resources');
  const counts = minor < emptyIgnoredSince || hasPodLevelResources(pod, ['requests', 'limits']);
  if (minor >= podLevelSince && isObject(own) && counts) return qosOf(own);
  const classes = ['initContainers', 'containers']
    .flatMap((list) => memberList(spec, list))
    .map((container) => qosOf(member(container, 'resources')));
  return common(classes) ?? 'BestEffort';
}

function qosOf(resources: unknown): QosClass {
  const requests = readResources(member(resources, 'requests'));
  const limits = readResources(member(resources, 'limits'));
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const classes = ['cpu', 'memory'].map((name) => qosOfResource(requests, limits, name));
  return common(classes) ?? 'BestEffort';
}

function qosOfResource(requests: ResourceList, limits: ResourceList, name: string): QosClass {
  const request = requests.get(name) ?? zero;
  const limit = limits.get(name) ?? zero;
  if (compareQuantities(request, limit) !== 0) return 'Burstable';
  return signOfQuantity(request) === 0 ? 'BestEffort' : 'Guaranteed';
}

/** The class that all have; pods with different ones are burstable. */
function common(classes: readonly QosClass[]): QosClass | undefined {
  const [first] = classes;
  return classes.every((each) => each === first) ? first : 'Burstable';
}
