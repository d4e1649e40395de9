import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { metadataOf, withMetadata } from './metadata.ts';

/** Whether two values are equal where nothing, null, an empty list and an empty map are the same (apimachinery `equality.Semantic`). */
export function semanticallyEqual(a: unknown, b: unknown): boolean {
  if (a === b || (isEmpty(a) && isEmpty(b))) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return isNumber(a) && isNumber(b) && Number(a) === Number(b);
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => semanticallyEqual(item, b[i]))
    );
  }
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) if (!semanticallyEqual(member(a, name), member(b, name))) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Whether an update changes only the metadata of garbage collection (registry rbac `IsOnlyMutatingGCFields`). */
export function changesOwnershipOnly(object: KubernetesObject, old: KubernetesObject): boolean {
  const { ownerReferences, finalizers, managedFields } = metadataOf(old);
  return semanticallyEqual(
    withMetadata(object, { ownerReferences, finalizers, managedFields }),
    old,
  );
}
