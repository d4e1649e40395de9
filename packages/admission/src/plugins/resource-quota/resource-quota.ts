import {
  type KubernetesObject,
  member,
  memberObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import type { Quantity } from '@kubeadmit/apimachinery/quantity';
import { addResources, filterResources, type ResourceList } from '../../resources/resource-list.ts';
import { withMember } from '../../write/metadata.ts';
import type { AdmissionPlugin, PluginCluster } from '../plugin.ts';
import { checkQuotas, withUsed } from './check-quotas.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { evaluatorOf, evaluatorsFor } from './evaluators.ts';
import { type LimitedResource, readLimitedResources } from './limited-resources.ts';
import { count } from './object-count.ts';
import { matchingScopes, scopesOf } from './quota-scopes.ts';

const quotas = 'resourcequotas';

/** Refuses objects that exceed a quota of their namespace, and counts those that do not. */
export const resourceQuota: AdmissionPlugin = pluginWith([]);

function pluginWith(limited: readonly LimitedResource[]): AdmissionPlugin {
  return {
    name: 'ResourceQuota',
    operations: ['CREATE', 'UPDATE'],
    reads: [quotas, 'deviceclasses.resource.k8s.io'],
    complete: withUsage,
    validate: (request, cluster) => {
      const { object, namespace, kind, resource, operation } = request;
      const isNewNamespace =
        operation === 'CREATE' && kind.group === '' && kind.kind === 'Namespace';
      if (object === null || namespace === '' || isNewNamespace) return undefined;
      const { group, resource: plural } = resource;
      const evaluator = evaluatorOf(group === '' ? plural : `${plural}.${group}`, cluster.minor);
      if (evaluator === undefined || !evaluator.handles(request)) return undefined;
      const found = cluster.list(quotas, namespace);
      if (found.length === 0 && limited.length === 0) return undefined;
      return checkQuotas({ request, object, evaluator, cluster }, found, limited);
    },
    configure: (configuration) => pluginWith(readLimitedResources(configuration)),
  };
}

/**
 * Returns a quota with its status as the quota controller writes it: the limits of its specification, and the usage of
 * the objects in its namespace (apiserver quota/v1 `CalculateUsage`). A quota whose status has a usage stays the same.
 */
export function withUsage(quota: KubernetesObject, cluster: PluginCluster): KubernetesObject {
  const status = member(quota, 'status');
  if (Object.keys(memberObject(status, 'used')).length > 0) return quota;
  const hard = memberObject(member(quota, 'spec'), 'hard');
  const names = Object.keys(hard);
  let used: ResourceList = new Map();
  for (const evaluator of evaluatorsFor(quota, cluster.minor)) {
    const counted = evaluator.matchingNames(names, cluster);
    if (counted.length === 0) continue;
    const usage = usageOf(quota, evaluator, cluster, counted);
    used = addResources(
      used,
      filterResources(usage, (name) => counted.includes(name)),
    );
  }
  return withUsed(withMember(quota, 'status', { hard }), used);
}

function usageOf(
  quota: KubernetesObject,
  evaluator: QuotaEvaluator,
  cluster: PluginCluster,
  names: readonly string[],
): ResourceList {
  const scopes = scopesOf(quota);
  const start: ResourceList = new Map<string, Quantity>(names.map((name) => [name, count(0)]));
  return cluster
    .list(evaluator.resource, metadataString(quota, 'namespace'))
    .filter((object) => matchingScopes(evaluator, scopes, object, cluster).length === scopes.length)
    .reduce((total, object) => addResources(total, evaluator.usage(object, cluster)), start);
}
