import { annotationsOf, type KubernetesObject, member, memberList } from '@kubeadmit/apimachinery';
import { notFoundStatus } from '@kubeadmit/apimachinery/status';
import { readJson } from '@kubeadmit/go';
import { computeQosClass } from '../../resources/qos-class.ts';
import type { AdmissionPlugin, PluginCluster, PluginOutcome } from '../plugin.ts';
import { fail, isAbout } from '../refusal.ts';
import { areCovered, mergeTolerations } from '../tolerations.ts';
import { withSpec } from '../with-spec.ts';
import { type ClusterTolerations, readClusterTolerations } from './configuration.ts';

/** Adds the default tolerations of the namespace and refuses those that it does not allow. */
export const podTolerationRestriction: AdmissionPlugin = pluginWith({
  defaults: undefined,
  allowed: undefined,
});

function pluginWith(ofCluster: ClusterTolerations): AdmissionPlugin {
  return {
    name: 'PodTolerationRestriction',
    operations: ['CREATE', 'UPDATE'],
    reads: ['namespaces'],
    mutate: (request, cluster) => {
      const { object, operation, namespace } = request;
      if (object === null || !isAbout(request, 'pods')) return undefined;
      const added: unknown[] = [];
      let causes: readonly KubernetesObject[] = [];
      if (operation === 'CREATE') {
        const own = listOf(cluster, namespace, 'defaultTolerations');
        if ('denial' in own) return own;
        causes = own.causes;
        added.push(...(own.list ?? ofCluster.defaults ?? []));
      }
      if (computeQosClass(object, cluster.minor) !== 'BestEffort') added.push(memoryPressure);
      const before = memberList(member(object, 'spec'), 'tolerations');
      const tolerations = added.length === 0 ? before : mergeTolerations(before, added);
      const changed = added.length === 0 ? object : withSpec(object, { tolerations });
      return refusal(changed, namespace, { cluster, ofCluster }) ?? { object: changed, causes };
    },
    validate: (request, cluster) => {
      const { object, namespace } = request;
      if (object === null || !isAbout(request, 'pods')) return undefined;
      return refusal(object, namespace, { cluster, ofCluster });
    },
    configure: (configuration, warn) => pluginWith(readClusterTolerations(configuration, warn)),
  };
}

const memoryPressure = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

function refusal(
  pod: KubernetesObject,
  namespace: string,
  {
    cluster,
    ofCluster,
  }: { readonly cluster: PluginCluster; readonly ofCluster: ClusterTolerations },
): PluginOutcome | undefined {
  const tolerations = memberList(member(pod, 'spec'), 'tolerations');
  if (tolerations.length === 0) return undefined;
  const own = listOf(cluster, namespace, 'tolerationsWhitelist');
  if ('denial' in own) return own;
  const allowed = own.list ?? ofCluster.allowed ?? [];
  if (areCovered(tolerations, allowed)) return undefined;
  const scope = own.list === undefined ? 'cluster' : 'namespace';
  const text = `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${scope} whitelist`;
  return { ...fail(text), causes: own.causes };
}

/** The tolerations in an annotation of a namespace, and the Namespace if it has that annotation. */
function listOf(
  cluster: PluginCluster,
  namespace: string,
  name: string,
):
  | {
      readonly list: readonly unknown[] | undefined;
      readonly causes: readonly KubernetesObject[];
    }
  | (PluginOutcome & { readonly denial: object }) {
  const found = cluster.get('namespaces', '', namespace);
  if (found === undefined) {
    const denial = notFoundStatus({ group: '', name: 'namespaces' }, namespace);
    return { denial };
  }
  const annotations = annotationsOf(found);
  const key = `scheduler.alpha.kubernetes.io/${name}`;
  if (!Object.hasOwn(annotations, key)) return { list: undefined, causes: [] };
  const text = annotations[key] ?? '';
  const causes = [found];
  if (text === '') return { list: [], causes };
  const read = readJson(text);
  if ('error' in read) return { ...fail(read.error), causes };
  return { list: Array.isArray(read.value) ? read.value : [], causes };
}
