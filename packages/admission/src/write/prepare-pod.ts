import {
  isObject,
  type KubernetesObject,
  member,
  memberList,
  memberTexts,
} from '@kubeadmit/apimachinery';
import { computeQosClass } from '../resources/qos-class.ts';
import { isFeatureOn } from '../versions/feature-gates.data.ts';
import { withAnnotatedProfile } from './app-armor.ts';
import { metadataOf, withMember } from './metadata.ts';
import { withPodLevelDefaults } from './pod-level-resources.ts';

/** Returns a new pod as its strategy prepares it (registry/core/pod `PrepareForCreate`). */
export function preparePod(pod: KubernetesObject, minor: number): KubernetesObject {
  let prepared = pod;
  if (isFeatureOn('MatchLabelKeysInPodAffinity', minor)) prepared = withMergedAffinity(prepared);
  if (isFeatureOn('MatchLabelKeysInPodTopologySpreadSelectorMerge', minor))
    prepared = withMergedSpread(prepared);
  prepared = withLateResources(withProfiles(prepared), minor);
  return withMember(prepared, 'status', {
    phase: 'Pending',
    ...gatedCondition(pod),
    qosClass: computeQosClass(prepared, minor),
  });
}

/** Adds the defaults of pod-level resources (`spec.resources`) on servers that set them when they prepare a pod. */
export function withLateResources(pod: KubernetesObject, minor: number): KubernetesObject {
  return isFeatureOn('PodLevelResourcesFixDefaulting', minor) ? withPodLevelDefaults(pod) : pod;
}

/** Keeps the pod-level resources of a pod whose client left them out because it does not know them. */
export function withKeptResources(
  pod: KubernetesObject,
  old: KubernetesObject,
  minor: number,
): KubernetesObject {
  const spec = member(pod, 'spec');
  const kept = member(member(old, 'spec'), 'resources') ?? undefined;
  if (kept === undefined || !isFeatureOn('PodLevelResourcesFixDefaulting', minor)) return pod;
  if (!isObject(spec) || isObject(spec['resources'])) return pod;
  return withMember(pod, 'spec', { ...spec, resources: kept });
}

function gatedCondition(pod: KubernetesObject): object {
  if (memberList(member(pod, 'spec'), 'schedulingGates').length === 0) return {};
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: metadataOf(pod).creationTimestamp,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return { conditions: [condition] };
}

function withProfiles(pod: KubernetesObject): KubernetesObject {
  return withListsOf(pod, ['initContainers', 'containers', 'ephemeralContainers'], (container) =>
    withAnnotatedProfile(pod, container),
  );
}

/** Merges the values of the labels that spread constraints name into their selectors. */
function withMergedSpread(pod: KubernetesObject): KubernetesObject {
  return withListsOf(pod, ['topologySpreadConstraints'], (constraint) => merged(pod, constraint));
}

/** Returns a pod with some lists of its specification changed; the same pod if nothing changes. */
function withListsOf(
  pod: KubernetesObject,
  lists: readonly string[],
  change: (item: unknown) => unknown,
): KubernetesObject {
  const spec = member(pod, 'spec');
  if (!isObject(spec)) return pod;
  const changed = changedLists(spec, lists, change);
  return changed === spec ? pod : withMember(pod, 'spec', changed);
}

function changedLists(
  owner: KubernetesObject,
  lists: readonly string[],
  change: (item: unknown) => unknown,
): KubernetesObject {
  let result = owner;
  for (const list of lists) {
    const items = member(owner, list);
    if (!Array.isArray(items)) continue;
    const changed = items.map(change);
    if (changed.some((item, at) => item !== items[at])) result = { ...result, [list]: changed };
  }
  return result;
}

/** Merges the values of the labels that affinity terms name into their selectors. */
function withMergedAffinity(pod: KubernetesObject): KubernetesObject {
  const spec = member(pod, 'spec');
  const affinity = member(spec, 'affinity');
  if (!isObject(spec) || !isObject(affinity)) return pod;
  let result = affinity;
  for (const name of ['podAffinity', 'podAntiAffinity']) {
    const terms = member(affinity, name);
    if (!isObject(terms)) continue;
    const required = changedLists(
      terms,
      ['requiredDuringSchedulingIgnoredDuringExecution'],
      (term) => merged(pod, term),
    );
    const all = changedLists(
      required,
      ['preferredDuringSchedulingIgnoredDuringExecution'],
      (weighted) => withMergedTerm(pod, weighted),
    );
    if (all !== terms) result = { ...result, [name]: all };
  }
  return result === affinity ? pod : withMember(pod, 'spec', { ...spec, affinity: result });
}

function withMergedTerm(pod: KubernetesObject, weighted: unknown): unknown {
  const term = member(weighted, 'podAffinityTerm');
  const changed = merged(pod, term);
  return changed === term || !isObject(weighted)
    ? weighted
    : { ...weighted, podAffinityTerm: changed };
}

/** Adds the values of the labels that a term names to its selector (`applyLabelKeysToLabelSelector`). */
function merged(pod: KubernetesObject, term: unknown): unknown {
  const selector = member(term, 'labelSelector');
  if (!isObject(term) || !isObject(selector)) return term;
  const labels = metadataOf(pod).labels ?? {};
  const expressions = (keys: string, operator: string): readonly object[] =>
    memberTexts(term, keys).flatMap((key) =>
      Object.hasOwn(labels, key) ? [{ key, operator, values: [labels[key]] }] : [],
    );
  const added = [
    ...expressions('matchLabelKeys', 'In'),
    ...expressions('mismatchLabelKeys', 'NotIn'),
  ];
  if (added.length === 0) return term;
  const matchExpressions = [...memberList(selector, 'matchExpressions'), ...added];
  return { ...term, labelSelector: { ...selector, matchExpressions } };
}
