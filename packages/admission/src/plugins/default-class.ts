import {
  annotationsOf,
  type KubernetesObject,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import type { AdmissionPlugin } from './plugin.ts';
import { isAbout } from './refusal.ts';
import { withSpec } from './with-spec.ts';

/** Returns the newest of the classes that an annotation marks as default; of equally old ones the first by name. */
function defaultClass(
  classes: readonly KubernetesObject[],
  annotations: readonly string[],
): KubernetesObject | undefined {
  const marked = classes.filter((each) => {
    const own = annotationsOf(each);
    return annotations.some((name) => Object.hasOwn(own, name) && own[name] === 'true');
  });
  return marked.sort(
    (a, b) =>
      compareText(createdAt(b), createdAt(a)) ||
      compareText(metadataString(a, 'name'), metadataString(b, 'name')),
  )[0];
}

function createdAt(object: KubernetesObject): string {
  return metadataString(object, 'creationTimestamp');
}

const classes = 'ingressclasses.networking.k8s.io';

/** Sets the default IngressClass of ingresses that name none. */
export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  operations: ['CREATE'],
  reads: [classes],
  mutate: (request, cluster) => {
    const { object } = request;
    if (object === null || !isAbout(request, 'ingresses', 'networking.k8s.io')) return undefined;
    if ((member(member(object, 'spec'), 'ingressClassName') ?? undefined) !== undefined)
      return undefined;
    if (Object.hasOwn(annotationsOf(object), 'kubernetes.io/ingress.class')) return undefined;
    const found = defaultClass(cluster.list(classes), [
      'ingressclass.kubernetes.io/is-default-class',
    ]);
    if (found === undefined) return undefined;
    const ingressClassName = metadataString(found, 'name');
    return { object: withSpec(object, { ingressClassName }), causes: [found] };
  },
};

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
