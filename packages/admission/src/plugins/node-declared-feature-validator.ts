import {
  type KubernetesObject,
  member,
  memberList,
  memberText,
  memberTexts,
} from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { isFeatureOn } from '../versions/feature-gates.data.ts';
import { metadataOf } from '../write/metadata.ts';
import { semanticallyEqual } from '../write/semantic-equality.ts';
import type { AdmissionPlugin, PluginRequest } from './plugin.ts';
import { forbid } from './refusal.ts';

/** Refuses changes of running pods that need a feature which their node does not declare. */
export const nodeDeclaredFeatureValidator: AdmissionPlugin = {
  name: 'NodeDeclaredFeatureValidator',
  operations: ['CREATE', 'UPDATE'],
  reads: ['nodes'],
  validate: (request, cluster) => {
    const { object, oldObject } = request;
    if (object === null || oldObject === null || !isPodChange(request)) return undefined;
    if (!isFeatureOn('NodeDeclaredFeatures', cluster.minor)) return undefined;
    const nodeName = memberText(member(object, 'spec'), 'nodeName');
    if (nodeName === '' || metadataOf(object).generation === metadataOf(oldObject).generation)
      return undefined;
    const needed = neededFeatures(object, oldObject);
    if (needed.length === 0) return undefined;
    const node = cluster.get('nodes', '', nodeName);
    if (node === undefined) return forbid(request, `node ${quote(nodeName)} not found`);
    const declared = memberTexts(member(node, 'status'), 'declaredFeatures');
    const missing = needed.filter((feature) => !declared.includes(feature));
    if (missing.length === 0) return undefined;
    const text = `pod update requires features ${missing.join(', ')} which are not available on node ${quote(nodeName)}`;
    return { ...forbid(request, text), causes: [node] };
  },
};

function isPodChange({ operation, resource, subresource }: PluginRequest): boolean {
  const isPod = resource.group === '' && resource.resource === 'pods';
  return operation === 'UPDATE' && isPod && (subresource === '' || subresource === 'resize');
}

/** The features that a change needs (component-helpers nodedeclaredfeatures `InferForPodUpdate`), in their order. */
function neededFeatures(pod: KubernetesObject, old: KubernetesObject): readonly string[] {
  const [spec, before] = [member(pod, 'spec'), member(old, 'spec')];
  const features = {
    InPlacePodLevelResourcesVerticalScaling: !semanticallyEqual(
      member(spec, 'resources'),
      member(before, 'resources'),
    ),
    InPlacePodVerticalScalingInitContainers: resizesInitContainer(spec, before),
    InPlacePodVerticalScalingMemoryBackedVolumes: resizesMemoryVolume(spec, before),
  };
  return Object.entries(features)
    .filter(([, isNeeded]) => isNeeded)
    .map(([feature]) => feature);
}

function resizesInitContainer(spec: unknown, before: unknown): boolean {
  const containers = memberList(spec, 'initContainers');
  return memberList(before, 'initContainers').some(
    (container, index) =>
      memberText(container, 'restartPolicy') !== 'Always' &&
      !semanticallyEqual(member(container, 'resources'), member(containers[index], 'resources')),
  );
}

function resizesMemoryVolume(spec: unknown, before: unknown): boolean {
  const [volumes, old] = [memberList(spec, 'volumes'), memberList(before, 'volumes')];
  if (volumes.length !== old.length) return false;
  return volumes.some((volume, index) => {
    const [own, other] = [member(volume, 'emptyDir'), member(old[index], 'emptyDir')];
    if (memberText(volume, 'name') !== memberText(old[index], 'name')) return false;
    if (memberText(own, 'medium') !== 'Memory') return false;
    const [size, oldSize] = [memberText(own, 'sizeLimit'), memberText(other, 'sizeLimit')];
    return size !== '' && oldSize !== '' && size !== oldSize;
  });
}
