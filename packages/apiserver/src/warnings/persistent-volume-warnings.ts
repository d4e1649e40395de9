import { metadataOf } from '@kubeadmit/admission/writes';
import {
  type KubernetesObject,
  member,
  memberObject,
  memberObjects,
} from '@kubeadmit/apimachinery';
import { classAnnotationWarning } from './claim-warnings.ts';
import { termWarnings } from './node-labels.ts';

/** Returns warnings about a PersistentVolume (api/persistentvolume `GetWarningsForPersistentVolume`). */
export function persistentVolumeWarnings(volume: KubernetesObject): readonly string[] {
  const spec = memberObject(volume, 'spec');
  const mount = 'volume.beta.kubernetes.io/mount-options';
  const hasMount = Object.hasOwn(metadataOf(volume).annotations ?? {}, mount);
  const required = member(member(spec, 'nodeAffinity'), 'required');
  return [
    ...classAnnotationWarning(volume),
    ...(hasMount
      ? [
          `metadata.annotations[${mount}]: deprecated since v1.31; use "mountOptions" attribute instead`,
        ]
      : []),
    ...(spec['persistentVolumeReclaimPolicy'] === 'Recycle'
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...memberObjects(required, 'nodeSelectorTerms').flatMap((term, at) =>
      termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${at}]`),
    ),
    ...deprecatedPlugins(spec),
  ];
}

const volumePlugins: readonly (readonly [field: string, shown: string, message: string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

function deprecatedPlugins(spec: KubernetesObject): readonly string[] {
  return volumePlugins
    .filter(([field]) => (spec[field] ?? undefined) !== undefined)
    .map(([, shown, message]) => `spec.${shown}: ${message}`);
}
