import { member, metadataString } from '@kubeadmit/apimachinery';
import { annotationsOf } from '@kubeadmit/apimachinery/internal';
import { defaultClass } from './default-class.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { isAbout } from './refusal.ts';
import { withSpec } from './with-spec.ts';

const marks = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

/** The annotation in which claims named their class before `spec.storageClassName`. */
export const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Sets the default StorageClass of claims that name none. */
export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  operations: ['CREATE'],
  reads: ['storageclasses.storage.k8s.io'],
  mutate: (request, cluster) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'persistentvolumeclaims')) return undefined;
    if (Object.hasOwn(annotationsOf(object), classAnnotation)) return undefined;
    if ((member(member(object, 'spec'), 'storageClassName') ?? undefined) !== undefined)
      return undefined;
    const found = defaultClass(cluster.list('storageclasses.storage.k8s.io'), marks);
    if (found === undefined) return undefined;
    const storageClassName = metadataString(found, 'name');
    return { object: withSpec(object, { storageClassName }), causes: [found] };
  },
};
