import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { memberList, memberText } from '@kubeadmit/apimachinery/internal';
import { secretNames } from '../pod-references.ts';

/** Returns why a mirror pod is refused: it refers to an account, a secret or a token; undefined if it does not. */
export function mirrorPodProblem(pod: KubernetesObject): string | undefined {
  const spec = member(pod, 'spec');
  if (memberText(spec, 'serviceAccountName') !== '')
    return 'a mirror pod may not reference service accounts';
  const volumes = memberList(spec, 'volumes');
  if (secretNames(pod).length > 0) return 'a mirror pod may not reference secrets';
  const hasToken = volumes.some((volume) =>
    memberList(member(volume, 'projected'), 'sources').some((source) =>
      Boolean(member(source, 'serviceAccountToken')),
    ),
  );
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}
