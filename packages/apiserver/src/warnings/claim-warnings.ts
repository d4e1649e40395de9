import { readResources } from '@kubeadmit/admission/pod-resources';
import { metadataOf } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { fractionWarning } from './container-warnings.ts';

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';
const classMessage = 'deprecated since v1.8; use "storageClassName" attribute instead';

/** Returns warnings about a claim (api/persistentvolumeclaim `GetWarningsForPersistentVolumeClaim`). */
export function claimWarnings(claim: KubernetesObject): readonly string[] {
  return [...classAnnotationWarning(claim), ...claimSpecWarnings(member(claim, 'spec'), 'spec')];
}

/** Returns a warning about the class in an annotation of a claim or a volume. */
export function classAnnotationWarning(object: KubernetesObject): readonly string[] {
  const has = Object.hasOwn(metadataOf(object).annotations ?? {}, classAnnotation);
  return has ? [`metadata.annotations[${classAnnotation}]: ${classMessage}`] : [];
}

/** Returns warnings about the specification of a claim. */
export function claimSpecWarnings(spec: unknown, path: string): readonly string[] {
  return ['requests', 'limits'].flatMap((part) => {
    const list = readResources(member(member(spec, 'resources'), part));
    return fractionWarning(list, 'storage', `${path}.resources.${part}`);
  });
}
