import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { metadataOf, withMetadata } from './metadata.ts';
import { semanticallyEqual } from './semantic-equality.ts';

/** Whether an update changes nothing but what garbage collection needs (registry rbac `IsOnlyMutatingGCFields`). */
export function changesOwnershipOnly(object: KubernetesObject, old: KubernetesObject): boolean {
  const { ownerReferences, finalizers, managedFields } = metadataOf(old);
  return semanticallyEqual(
    withMetadata(object, { ownerReferences, finalizers, managedFields }),
    old,
  );
}
