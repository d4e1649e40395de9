import { type KubernetesObject, labelsOf, member, memberText } from '@kubeadmit/apimachinery';
import { isFeatureOn } from '../versions/feature-gates.data.ts';
import { withMetadata } from '../write/metadata.ts';
import type { AdmissionPlugin, PluginRequest } from './plugin.ts';

const copied = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** Copies the labels for zone and region from a node to the pods that are created on it or bound to it. */
export const podTopologyLabels: AdmissionPlugin = {
  name: 'PodTopologyLabels',
  operations: ['CREATE'],
  reads: ['nodes'],
  mutate: (request, cluster) => {
    const { object, resource } = request;
    if (object === null || resource.resource !== 'pods' || resource.group !== '') return undefined;
    if (!isFeatureOn('PodTopologyLabelsAdmission', cluster.minor)) return undefined;
    const node = cluster.get('nodes', '', nodeOf(request, object));
    if (node === undefined) return undefined;
    const found = Object.entries(labelsOf(node)).filter(([key]) => copied.includes(key));
    if (found.length === 0) return undefined;
    const labels = { ...labelsOf(object), ...Object.fromEntries(found) };
    return { object: withMetadata(object, { labels }), causes: [node] };
  },
};

function nodeOf({ subresource }: PluginRequest, object: KubernetesObject): string {
  if (subresource === '') return memberText(member(object, 'spec'), 'nodeName');
  const target = member(object, 'target');
  const isBinding = subresource === 'binding' && memberText(target, 'kind') === 'Node';
  return isBinding ? memberText(target, 'name') : '';
}
