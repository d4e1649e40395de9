import {
  type KubernetesObject,
  member,
  memberList,
  memberObject,
  memberText,
} from '@kubeadmit/apimachinery';
import { compareQuantities, quantityOf } from '@kubeadmit/apimachinery/quantity';

import { quote } from '@kubeadmit/go';
import type { AdmissionPlugin, PluginCluster, PluginOutcome, PluginRequest } from './plugin.ts';
import { forbid, isAbout } from './refusal.ts';
import { mergeTolerations } from './tolerations.ts';
import { withSpec } from './with-spec.ts';

const classes = 'runtimeclasses.node.k8s.io';

/** Sets the overhead, node selector and tolerations of a pod's RuntimeClass. */
export const runtimeClass: AdmissionPlugin = {
  name: 'RuntimeClass',
  operations: ['CREATE'],
  reads: [classes],
  mutate: (request, cluster) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'pods')) return undefined;
    const found = classOf(object, cluster);
    if (found === 'unknown') return unknownClass(request, object);
    if (found === undefined) return undefined;
    return withClass(request, object, found);
  },
  validate: (request, cluster) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'pods')) return undefined;
    const found = classOf(object, cluster);
    if (found === 'unknown') return unknownClass(request, object);
    const fixed = found && fixedOverhead(found);
    const own = member(member(object, 'spec'), 'overhead') ?? undefined;
    if (found !== undefined && fixed !== undefined) {
      return sameAmounts(fixed, own) ? undefined : otherOverhead(request, found);
    }
    const text =
      'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
    if (own === undefined) return undefined;
    return { ...forbid(request, text), causes: found === undefined ? [] : [found] };
  },
};

function classOf(
  pod: KubernetesObject,
  cluster: PluginCluster,
): KubernetesObject | 'unknown' | undefined {
  const name = member(member(pod, 'spec'), 'runtimeClassName') ?? undefined;
  if (typeof name !== 'string') return undefined;
  return cluster.get(classes, '', name) ?? 'unknown';
}

function unknownClass(request: PluginRequest, pod: KubernetesObject): PluginOutcome {
  const name = memberText(member(pod, 'spec'), 'runtimeClassName');
  return forbid(request, `pod rejected: RuntimeClass ${quote(name)} not found`);
}

function otherOverhead(request: PluginRequest, found: KubernetesObject): PluginOutcome {
  const text = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
  return { ...forbid(request, text), causes: [found] };
}

/** The overhead of a class; undefined for classes without one. */
function fixedOverhead(found: KubernetesObject): KubernetesObject | undefined {
  const overhead = member(found, 'overhead') ?? undefined;
  return overhead === undefined ? undefined : memberObject(overhead, 'podFixed');
}

function withClass(
  request: PluginRequest,
  pod: KubernetesObject,
  found: KubernetesObject,
): PluginOutcome {
  const changes: Record<string, unknown> = {};
  const spec = member(pod, 'spec');
  const fixed = fixedOverhead(found);
  if (fixed !== undefined) {
    const own = memberObject(spec, 'overhead');
    if (Object.keys(own).length > 0 && !sameAmounts(fixed, own))
      return otherOverhead(request, found);
    changes['overhead'] = fixed;
  }
  const scheduling = member(found, 'scheduling') ?? undefined;
  if (scheduling !== undefined) {
    const selector = memberObject(scheduling, 'nodeSelector');
    const own = memberObject(spec, 'nodeSelector');
    const conflict = conflictOf(selector, own);
    if (conflict !== undefined) return { ...forbid(request, conflict), causes: [found] };
    const all = { ...own, ...selector };
    if (Object.keys(all).length > 0) changes['nodeSelector'] = all;
    const tolerations = mergeTolerations(
      memberList(spec, 'tolerations'),
      memberList(scheduling, 'tolerations'),
    );
    if (tolerations.length > 0) changes['tolerations'] = tolerations;
  }
  if (Object.keys(changes).length === 0) return {};
  return { object: withSpec(pod, changes), causes: [found] };
}

function conflictOf(selector: KubernetesObject, own: KubernetesObject): string | undefined {
  const key = Object.keys(selector)
    .sort()
    .find((each) => Object.hasOwn(own, each) && own[each] !== selector[each]);
  if (key === undefined) return undefined;
  return `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${String(selector[key])}; pod.spec.nodeSelector[${key}] = ${String(own[key])}`;
}

function sameAmounts(a: KubernetesObject, b: unknown): boolean {
  const [left, right] = [a, memberObject({ b }, 'b')];
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].every((name) => {
    const amounts = [left, right].map((each) => quantityOf(memberText(each, name)));
    const [first, second] = amounts;
    return first !== undefined && second !== undefined && compareQuantities(first, second) === 0;
  });
}
