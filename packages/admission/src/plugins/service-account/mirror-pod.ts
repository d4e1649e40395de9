import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { memberList, memberText } from '@kubeadmit/apimachinery/internal';

/** Returns why a mirror pod is refused: it refers to an account, a secret or a token; undefined if it does not. */
export function mirrorPodProblem(pod: KubernetesObject): string | undefined {
  const spec = member(pod, 'spec');
  if (memberText(spec, 'serviceAccountName') !== '')
    return 'a mirror pod may not reference service accounts';
  const volumes = memberList(spec, 'volumes');
  const names = [
    ...memberList(spec, 'imagePullSecrets').map((secret) => memberText(secret, 'name')),
    ...['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
      memberList(spec, field).flatMap(secretsOfContainer),
    ),
    ...volumes.flatMap(secretsOfVolume),
  ];
  if (names.some((name) => name !== '')) return 'a mirror pod may not reference secrets';
  const hasToken = volumes.some((volume) =>
    memberList(member(volume, 'projected'), 'sources').some((source) =>
      Boolean(member(source, 'serviceAccountToken')),
    ),
  );
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}

function secretsOfContainer(container: unknown): string[] {
  return [
    ...memberList(container, 'envFrom').map((source) => nameAt(source, 'secretRef')),
    ...memberList(container, 'env').map((variable) =>
      nameAt(member(variable, 'valueFrom'), 'secretKeyRef'),
    ),
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
