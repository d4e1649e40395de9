import { isObject, type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import { formatQuantity } from '@kubeadmit/apimachinery/quantity';
import {
  aggregateContainers,
  isPodLevelResource,
  specifiedResources,
} from '../resources/pod-resources.ts';
import { maxResources, type ResourceList } from '../resources/resource-list.ts';
import { isHugePages } from '../resources/resource-names.ts';
import { withMember } from './metadata.ts';

/**
 * Returns a pod that sets resources itself with the defaults of those that it leaves out: requests from its containers
 * or its limits, limits from its containers if all of them have one (api/pod `DefaultPodLevelResources`).
 */
export function withPodLevelDefaults(pod: KubernetesObject): KubernetesObject {
  const spec = member(pod, 'spec');
  const own = member(spec, 'resources');
  if (!isObject(spec) || !isObject(own)) return pod;
  const requests = new Map(specifiedResources(spec, 'requests'));
  const limits = new Map(specifiedResources(spec, 'limits'));
  if (requests.size === 0 && limits.size === 0) return pod;
  const containerLimits = aggregate(pod, 'limits');
  for (const [name, limit] of containerLimits) {
    if (isHugePages(name) && !requests.has(name) && !limits.has(name)) limits.set(name, limit);
  }
  for (const [name, request] of aggregate(pod, 'requests')) {
    if (!requests.has(name) && isPodLevelResource(name) && !isHugePages(name)) {
      requests.set(name, request);
    }
  }
  for (const [name, limit] of limits) {
    if (!requests.has(name) && isPodLevelResource(name)) requests.set(name, limit);
  }
  for (const [name, request] of requests) {
    const limit = containerLimits.get(name);
    if (limit === undefined || limits.has(name) || !isLimitedByAll(spec, name)) continue;
    limits.set(
      name,
      maxResources(new Map([[name, limit]]), new Map([[name, request]])).get(name) ?? limit,
    );
  }
  const resources = {
    ...own,
    ...(limits.size > 0 ? { limits: shown(limits) } : {}),
    ...(requests.size > 0 ? { requests: shown(requests) } : {}),
  };
  return withMember(pod, 'spec', { ...spec, resources });
}

function aggregate(pod: KubernetesObject, part: 'requests' | 'limits'): ResourceList {
  return aggregateContainers(pod, (container) => specifiedResources(container, part));
}

function isLimitedByAll(spec: KubernetesObject, name: string): boolean {
  return (
    isPodLevelResource(name) &&
    ['initContainers', 'containers', 'ephemeralContainers']
      .flatMap((list) => memberList(spec, list))
      .every((container) => specifiedResources(container, 'limits').has(name))
  );
}

function shown(list: ResourceList): KubernetesObject {
  return Object.fromEntries([...list].map(([name, amount]) => [name, formatQuantity(amount)]));
}
