import { member, memberObjects, memberText } from '@kubeadmit/apimachinery';
import { addResources, maxResources, type ResourceList, readResources } from './resource-list.ts';
import { isHugePages } from './resource-names.ts';

/** The two kinds of resources of a container. */
export type ResourcePart = 'requests' | 'limits';

/** Returns the resources in the specification of a container or a pod. */
export function specifiedResources(owner: unknown, part: ResourcePart): ResourceList {
  return readResources(member(member(owner, 'resources'), part));
}

/**
 * Returns the resources that a pod needs for its containers: those of containers and sidecars together, or those of an
 * init container with the sidecars before it, whichever is greater
 * (component-helpers/resource `aggregateContainerResourcesByFn`).
 */
export function aggregateContainers(
  pod: unknown,
  resourcesOf: (container: unknown) => ResourceList,
): ResourceList {
  const spec = member(pod, 'spec');
  let total: ResourceList = new Map();
  for (const container of memberObjects(spec, 'containers')) {
    total = addResources(total, resourcesOf(container));
  }
  let sidecars: ResourceList = new Map();
  let initial: ResourceList = new Map();
  for (const container of memberObjects(spec, 'initContainers')) {
    const own = resourcesOf(container);
    const needed = addResources(sidecars, own);
    if (memberText(container, 'restartPolicy') === 'Always') {
      total = addResources(total, own);
      sidecars = needed;
    }
    initial = maxResources(initial, needed);
  }
  return maxResources(total, initial);
}

/** Returns resources with those that the pod itself sets in place of the sum of its containers. */
export function withPodLevel(
  list: ResourceList,
  own: ResourceList,
  isSupported: (name: string) => boolean,
): ResourceList {
  return new Map([...list, ...[...own].filter(([name]) => isSupported(name))]);
}

/** Whether a pod itself can set a resource. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

/** Whether a pod itself sets resources (`IsPodLevelResourcesSet`). */
export function hasPodLevelResources(pod: unknown, parts: readonly ResourcePart[]): boolean {
  const spec = member(pod, 'spec');
  return parts.some((part) => [...specifiedResources(spec, part).keys()].some(isPodLevelResource));
}
