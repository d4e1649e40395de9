import { type KubernetesObject, member, memberObjects, memberText } from '@kubeadmit/apimachinery';
import type { Quantity } from '@kubeadmit/apimachinery/quantity';
import {
  aggregateContainers,
  hasPodLevelResources,
  isPodLevelResource,
  type ResourcePart,
  specifiedResources,
  withPodLevel,
} from '../../resources/pod-resources.ts';
import {
  addResources,
  filterResources,
  maxResources,
  type ResourceList,
  readResources,
} from '../../resources/resource-list.ts';
import { isExtendedResource, isHugePages } from '../../resources/resource-names.ts';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';
import { count } from './object-count.ts';

/** Returns the names and amounts in quotas that requests and limits count for (`podComputeUsageHelper`). */
export function computeUsage(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage = new Map<string, Quantity>([['pods', count(1)]]);
  for (const name of ['cpu', 'memory', 'ephemeral-storage']) {
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (request !== undefined) {
      usage.set(name, request);
      usage.set(`requests.${name}`, request);
    }
    if (limit !== undefined) usage.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    const isPaged = isHugePages(name);
    if (isPaged) usage.set(name, request);
    if (isPaged || isExtended(name)) usage.set(`requests.${name}`, request);
  }
  return usage;
}

/** Whether devices can be requested by the name of a resource (`IsDRAExtendedResourceName`). */
function isExtended(name: string): boolean {
  return name.startsWith('deviceclass.resource.kubernetes.io/') || isExtendedResource(name);
}

/** Returns the requests or limits of a pod with its overhead (component-helpers/resource `PodRequests`, `PodLimits`). */
export function podResources(
  pod: KubernetesObject,
  part: ResourcePart,
  minor: number,
): ResourceList {
  const containers = containerResources(pod, part, minor);
  const list = withOwnResources(pod, part, containers, minor);
  const overhead = readResources(member(member(pod, 'spec'), 'overhead'));
  if (part === 'requests') return addResources(list, overhead);
  const isLimited = (name: string): boolean => (list.get(name)?.unscaled ?? 0n) !== 0n;
  return addResources(list, filterResources(overhead, isLimited));
}

function withOwnResources(
  pod: KubernetesObject,
  part: ResourcePart,
  list: ResourceList,
  minor: number,
): ResourceList {
  if (!isFeatureOn('PodLevelResources', minor)) return list;
  const parts: readonly ResourcePart[] =
    part === 'requests' ? ['requests'] : ['requests', 'limits'];
  if (!hasPodLevelResources(pod, parts)) return list;
  return withPodLevel(list, specifiedResources(member(pod, 'spec'), part), isPodLevelResource);
}

/**
 * The sum of the containers. While a pod is resized, the greatest of the specified, allocated and actual resources
 * counts.
 */
function containerResources(
  pod: KubernetesObject,
  part: ResourcePart,
  minor: number,
): ResourceList {
  const specified = aggregateContainers(pod, (container) => specifiedResources(container, part));
  if (!isFeatureOn('InPlacePodVerticalScaling', minor)) return specified;
  const status = member(pod, 'status');
  const statuses = [
    ...memberObjects(status, 'containerStatuses'),
    ...memberObjects(status, 'initContainerStatuses'),
  ];
  if (statuses.length === 0) return specified;
  const isInfeasible = isResizeInfeasible(status);
  const asStatus = (read: (status: unknown) => unknown): ResourceList =>
    aggregateContainers(pod, (container) => {
      const name = memberText(container, 'name');
      const found = read(statuses.find((each) => memberText(each, 'name') === name)) ?? undefined;
      if (found !== undefined) return readResources(found);
      return isInfeasible ? new Map() : specifiedResources(container, part);
    });
  const allocated = (container: unknown): unknown =>
    part === 'requests' ? member(container, 'allocatedResources') : undefined;
  const actual = asStatus((each) => member(member(each, 'resources'), part) ?? allocated(each));
  const lists = part === 'requests' ? [actual, asStatus(allocated)] : [actual];
  return isInfeasible ? maxResources(...lists) : maxResources(specified, ...lists);
}

function isResizeInfeasible(status: unknown): boolean {
  const pending = memberObjects(status, 'conditions').find(
    (condition) => memberText(condition, 'type') === 'PodResizePending',
  );
  return memberText(pending, 'reason') === 'Infeasible';
}
