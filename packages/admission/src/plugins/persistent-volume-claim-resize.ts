import { annotationsOf, type KubernetesObject, member, memberText } from '@kubeadmit/apimachinery';
import { compareQuantities, quantityOf, quantityOfInteger } from '@kubeadmit/apimachinery/quantity';

import { classAnnotation } from './default-class.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { forbid, isAbout } from './refusal.ts';

const classes = 'storageclasses.storage.k8s.io';

/** Refuses larger claims whose StorageClass does not allow expansion. */
export const persistentVolumeClaimResize: AdmissionPlugin = {
  name: 'PersistentVolumeClaimResize',
  operations: ['UPDATE'],
  reads: [classes],
  validate: (request, cluster) => {
    const { object, oldObject } = request;
    if (!isAbout(request, 'persistentvolumeclaims') || object === null || oldObject === null)
      return undefined;
    if (compareQuantities(sizeOf(object), sizeOf(oldObject)) <= 0) return undefined;
    if (memberText(member(oldObject, 'status'), 'phase') !== 'Bound')
      return forbid(request, 'Only bound persistent volume claims can be expanded');
    const found = cluster.get(classes, '', classOf(object));
    if (mayResize(found, object, oldObject)) return undefined;
    const text =
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
    return { ...forbid(request, text), causes: found === undefined ? [] : [found] };
  },
};

function sizeOf(claim: KubernetesObject): ReturnType<typeof quantityOfInteger> {
  const requests = member(member(member(claim, 'spec'), 'resources'), 'requests');
  return quantityOf(memberText(requests, 'storage')) ?? quantityOfInteger(0n);
}

function mayResize(
  found: KubernetesObject | undefined,
  claim: KubernetesObject,
  old: KubernetesObject,
): boolean {
  const name = classOf(claim);
  if (name === '' || name !== classOf(old)) return false;
  return member(found, 'allowVolumeExpansion') === true;
}

function classOf(claim: KubernetesObject): string {
  const annotations = annotationsOf(claim);
  if (Object.hasOwn(annotations, classAnnotation)) return annotations[classAnnotation] ?? '';
  return memberText(member(claim, 'spec'), 'storageClassName');
}
