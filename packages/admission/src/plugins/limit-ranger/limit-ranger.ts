import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import type { AdmissionPlugin, PluginCluster, PluginRequest } from '../plugin.ts';
import { forbid } from '../refusal.ts';
import { claimProblems, podProblems } from './constraints.ts';
import { withDefaults } from './defaults.ts';

const resource = 'limitranges';

/** Sets default requests and limits of containers, and enforces the bounds of LimitRanges on pods and claims. */
export const limitRanger: AdmissionPlugin = {
  name: 'LimitRanger',
  operations: ['CREATE', 'UPDATE'],
  reads: [resource],
  mutate: (request, cluster) => {
    if (request.object === null || !isLimited(request)) return undefined;
    if (request.resource.resource !== 'pods') return undefined;
    let { object } = request;
    const causes: KubernetesObject[] = [];
    for (const limitRange of cluster.list(resource, request.namespace)) {
      const changed = withDefaults(limitRange, object);
      if (changed === undefined) continue;
      object = changed;
      causes.push(limitRange);
    }
    return causes.length === 0 ? undefined : { object, causes };
  },
  validate: (request, cluster) => {
    const { object } = request;
    if (object === null || !isLimited(request)) return undefined;
    for (const limitRange of cluster.list(resource, request.namespace)) {
      const problems = problemsOf(request, object, limitRange, cluster);
      if (problems.length === 0) continue;
      return { ...forbid(request, formatAggregate(problems)), causes: [limitRange] };
    }
    return undefined;
  },
};

/** New pods and claims are limited, changed claims, and pods whose resources are changed in place. */
function isLimited({ kind, subresource, operation, oldObject }: PluginRequest): boolean {
  if (kind.group !== '' || (kind.kind !== 'Pod' && kind.kind !== 'PersistentVolumeClaim')) {
    return false;
  }
  const deletion = member(member(oldObject, 'metadata'), 'deletionTimestamp') ?? undefined;
  if (deletion !== undefined) return false;
  const isPodUpdate = kind.kind === 'Pod' && operation === 'UPDATE';
  if (subresource === 'resize') return isPodUpdate;
  return subresource === '' && !isPodUpdate;
}

function problemsOf(
  { resource: { resource: plural } }: PluginRequest,
  object: KubernetesObject,
  limitRange: KubernetesObject,
  { minor }: PluginCluster,
): readonly string[] {
  if (plural === 'pods') return podProblems(limitRange, object, minor);
  if (plural === 'persistentvolumeclaims') return claimProblems(limitRange, object);
  return [];
}
