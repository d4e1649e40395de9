import type { AdmissionPlugin } from '../plugin.ts';
import { checkQuotas } from './check-quotas.ts';
import { evaluatorOf } from './evaluators.ts';
import { type LimitedResource, readLimitedResources } from './limited-resources.ts';
import { withUsage } from './with-usage.ts';

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
