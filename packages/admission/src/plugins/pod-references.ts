import { type KubernetesObject, member, memberList, memberText } from '@kubeadmit/apimachinery';

/** Returns the names of all secrets that a pod refers to (api/pod `VisitPodSecretNames`). */
export function secretNames(pod: KubernetesObject): readonly string[] {
  const spec = member(pod, 'spec');
  return [
    ...memberList(spec, 'imagePullSecrets').map((secret) => memberText(secret, 'name')),
    ...containersOf(spec).flatMap((each) => namesOfContainer(each, 'secretRef', 'secretKeyRef')),
    ...memberList(spec, 'volumes').flatMap(secretsOfVolume),
  ].filter((name) => name !== '');
}

/** Returns the names of all ConfigMaps that a pod refers to (api/pod `VisitPodConfigmapNames`). */
export function configMapNames(pod: KubernetesObject): readonly string[] {
  const spec = member(pod, 'spec');
  return [
    ...containersOf(spec).flatMap((each) =>
      namesOfContainer(each, 'configMapRef', 'configMapKeyRef'),
    ),
    ...memberList(spec, 'volumes').flatMap((volume) => [
      nameAt(volume, 'configMap'),
      ...memberList(member(volume, 'projected'), 'sources').map((source) =>
        nameAt(source, 'configMap'),
      ),
    ]),
  ].filter((name) => name !== '');
}

function containersOf(spec: unknown): readonly unknown[] {
  const fields = ['initContainers', 'containers', 'ephemeralContainers'];
  return fields.flatMap((field) => memberList(spec, field));
}

function namesOfContainer(container: unknown, source: string, key: string): string[] {
  return [
    ...memberList(container, 'envFrom').map((each) => nameAt(each, source)),
    ...memberList(container, 'env').map((variable) => nameAt(member(variable, 'valueFrom'), key)),
  ];
}

/** Sources of volumes that name their secret in an object, and its member (api/pod `VisitPodSecretNames`). */
const references: Readonly<Record<string, string>> = {
  cephfs: 'secretRef',
  cinder: 'secretRef',
  flexVolume: 'secretRef',
  rbd: 'secretRef',
  scaleIO: 'secretRef',
  iscsi: 'secretRef',
  storageos: 'secretRef',
  csi: 'nodePublishSecretRef',
};

function secretsOfVolume(volume: unknown): string[] {
  return [
    memberText(member(volume, 'secret'), 'secretName'),
    memberText(member(volume, 'azureFile'), 'secretName'),
    ...memberList(member(volume, 'projected'), 'sources').map((source) => nameAt(source, 'secret')),
    ...Object.entries(references).map(([source, field]) => nameAt(member(volume, source), field)),
  ];
}

function nameAt(value: unknown, field: string): string {
  return memberText(member(value, field), 'name');
}
