import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import type { Endpoint } from './endpoint.ts';
import { metadataOf, withMetadata } from './metadata.ts';
import { prepareChanged } from './prepare-changed.ts';

/**
 * Restores the fields of an object that an update cannot change, and prepares the object by its strategy (registry/rest
 * `BeforeUpdate`).
 *
 * @param endpoint in the version in which objects are stored; see `storedEndpoint`
 */
export function beforeUpdate(
  schemas: Schemas,
  endpoint: Endpoint,
  object: KubernetesObject,
  old: KubernetesObject,
): KubernetesObject {
  const before = metadataOf(old);
  const own = metadataOf(object);
  const { namespaced } = endpoint.resource;
  const kept = withMetadata(object, {
    namespace: namespaced ? (own.namespace ?? before.namespace) : undefined,
    uid: own.uid || before.uid,
    creationTimestamp: before.creationTimestamp,
    deletionTimestamp: own.deletionTimestamp ?? before.deletionTimestamp ?? undefined,
    deletionGracePeriodSeconds:
      own.deletionGracePeriodSeconds ?? before.deletionGracePeriodSeconds ?? undefined,
    generation: before.generation,
  });
  return prepareChanged(schemas, endpoint, kept, old);
}
