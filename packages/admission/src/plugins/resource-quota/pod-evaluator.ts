import {
  type KubernetesObject,
  member,
  memberList,
  memberObjects,
  memberText,
} from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';
import { hasPodLevelResources, specifiedResources } from '../../resources/pod-resources.ts';
import { computeQosClass } from '../../resources/qos-class.ts';
import { addResources, type ResourceList } from '../../resources/resource-list.ts';
import { isHugePages, isNativeResource } from '../../resources/resource-names.ts';
import { isFeatureOn } from '../../versions/feature-gates.data.ts';
import type { PluginCluster, PluginRequest } from '../plugin.ts';
import type { QuotaEvaluator, Scope } from './evaluator.ts';
import { count } from './object-count.ts';
import { computeUsage, podResources } from './pod-usage.ts';
import { meetsOperator } from './quota-scopes.ts';

const counted = [
  'count/pods',
  ...['cpu', 'memory', 'ephemeral-storage'],
  ...['requests.cpu', 'requests.memory', 'requests.ephemeral-storage'],
  ...['limits.cpu', 'limits.memory', 'limits.ephemeral-storage'],
  'pods',
];

/** The names that each container has to set if a quota limits them. */
const requiredNames = [
  ...['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'],
];

/** Measures pods and their resources (quota/v1/evaluator/core/pods.go). */
export const podEvaluator: QuotaEvaluator = {
  resource: 'pods',
  handles: (request) => {
    const { operation, subresource } = request;
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== '') return false;
    return operation === 'CREATE' || (operation === 'UPDATE' && changesScope(request));
  },
  matchingNames: (names) => names.filter((name) => counted.includes(name) || isPrefixed(name)),
  problem: missingResources,
  isInScope: isPodInScope,
  usage: (pod, cluster) => {
    const objects: ResourceList = new Map([['count/pods', count(1)]]);
    if (isFinished(pod, cluster.now())) return objects;
    const requests = podResources(pod, 'requests', cluster.minor);
    const limits = podResources(pod, 'limits', cluster.minor);
    return addResources(objects, computeUsage(requests, limits));
  },
};

function changesScope({ object, oldObject }: PluginRequest): boolean {
  return isTerminating(object) !== isTerminating(oldObject);
}

function isPrefixed(name: string): boolean {
  if (isHugePages(name) || name.startsWith('requests.hugepages-')) return true;
  if (!name.startsWith('requests.')) return false;
  return !isNativeResource(name) || name.startsWith('requests.deviceclass.resource.kubernetes.io/');
}

/** Returns the resources that containers must set because a quota limits them, with the containers. */
function missingResources(
  required: readonly string[],
  pod: KubernetesObject,
  { minor }: PluginCluster,
): string | undefined {
  const isExempt =
    isFeatureOn('PodLevelResources', minor) && hasPodLevelResources(pod, ['requests', 'limits']);
  if (isExempt) return undefined;
  const spec = member(pod, 'spec');
  const missing = new Map<string, Set<string>>();
  const containers = [
    ...memberObjects(spec, 'containers'),
    ...memberObjects(spec, 'initContainers'),
  ];
  for (const container of containers) {
    const usage = computeUsage(
      specifiedResources(container, 'requests'),
      specifiedResources(container, 'limits'),
    );
    for (const name of required) {
      if (!requiredNames.includes(name) || usage.has(name)) continue;
      const names = getOrMake(missing, name, () => new Set<string>());
      names.add(memberText(container, 'name'));
    }
  }
  if (missing.size === 0) return undefined;
  const parts = [...missing]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, names]) => `${name} for: ${[...names].sort(compareText).join(',')}`);
  return `must specify ${parts.join('; ')}`;
}

function isPodInScope(scope: Scope, pod: KubernetesObject, { minor }: PluginCluster): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod, minor);
    case 'NotBestEffort':
      return !isBestEffort(pod, minor);
    case 'PriorityClass': {
      const name = memberText(member(pod, 'spec'), 'priorityClassName');
      return meetsOperator(scope, name === '' ? undefined : name);
    }
    default:
      return scope.scopeName === 'CrossNamespacePodAffinity' && usesAffinityAcrossNamespaces(pod);
  }
}

function isTerminating(pod: unknown): boolean {
  const seconds = member(member(pod, 'spec'), 'activeDeadlineSeconds') ?? undefined;
  return seconds !== undefined && Number(seconds) >= 0;
}

function isBestEffort(pod: KubernetesObject, minor: number): boolean {
  const known = memberText(member(pod, 'status'), 'qosClass');
  return (known || computeQosClass(pod, minor)) === 'BestEffort';
}

function usesAffinityAcrossNamespaces(pod: KubernetesObject): boolean {
  const affinity = member(member(pod, 'spec'), 'affinity');
  return ['podAffinity', 'podAntiAffinity'].some((name) => {
    const terms = member(affinity, name);
    return [
      ...memberObjects(terms, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...memberObjects(terms, 'preferredDuringSchedulingIgnoredDuringExecution').map((weighted) =>
        member(weighted, 'podAffinityTerm'),
      ),
    ].some(
      (term) =>
        memberList(term, 'namespaces').length > 0 ||
        (member(term, 'namespaceSelector') ?? undefined) !== undefined,
    );
  });
}

/** Whether a pod has ended, or should have been deleted by now, so that it uses nothing (`QuotaV1Pod`). */
function isFinished(pod: KubernetesObject, now: number): boolean {
  const phase = memberText(member(pod, 'status'), 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return true;
  const metadata = member(pod, 'metadata');
  const deletion = memberText(metadata, 'deletionTimestamp');
  const grace = member(metadata, 'deletionGracePeriodSeconds') ?? undefined;
  if (deletion === '' || grace === undefined) return false;
  return now > Date.parse(deletion) + Number(grace) * 1000;
}
