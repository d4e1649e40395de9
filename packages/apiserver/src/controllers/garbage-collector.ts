import { type KubernetesObject, kindOfObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { findResourceOfKind } from '@kubeadmit/schemas';
import type { ApiClient } from '../http/api-client.ts';
import { endpointOf, keyOf } from '../kinds/endpoint.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { groupVersionOf, objectPath } from '../objects/group-version.ts';
import { type Metadata, metadataOf } from '../objects/metadata.ts';
import type { StoreEvent } from '../store/store.ts';

type Owner = NonNullable<Metadata['ownerReferences']>[number];

/**
 * Deletes objects whose owners are gone, and completes deletions that wait for dependents: `foregroundDeletion` deletes
 * the dependents first, `orphan` releases them (controller `garbage-collector`).
 */
export class GarbageCollector {
  readonly #machinery: Machinery;
  readonly #client: ApiClient;
  /** Objects by the keys of the store, and the keys of the objects that each uid owns. */
  readonly #objects: Map<string, KubernetesObject> = new Map();
  readonly #owned: Map<string, Set<string>> = new Map();
  /** The keys of owners that wait for the deletion of owned objects, by their uids. */
  readonly #waiting: Map<string, string> = new Map();

  constructor(machinery: Machinery, client: ApiClient) {
    this.#machinery = machinery;
    this.#client = client;
  }

  /** Records an existing object, and deletes or orphans its dependents if it waits for that. */
  async put(key: string, object: KubernetesObject): Promise<void> {
    this.#forget(key);
    const { ownerReferences, finalizers, deletionTimestamp, uid = '' } = metadataOf(object);
    const isWaiting = deletionTimestamp && finalizers?.includes('foregroundDeletion');
    if (isWaiting) this.#waiting.set(uid, key);
    if (ownerReferences?.length) {
      this.#objects.set(key, object);
      for (const { uid = '' } of ownerReferences) {
        getOrMake(this.#owned, uid, () => new Set<string>()).add(key);
      }
      await this.#collect(key, object);
    }
    if (deletionTimestamp && finalizers?.includes('orphan')) await this.#orphan(object);
    else if (isWaiting) await this.#deleteOwned(object);
  }

  /** Follows a change of the store. */
  async apply(event: StoreEvent): Promise<void> {
    const { cache } = this.#machinery.registry;
    if (event.type === 'put') return this.put(event.entry.key, cache.objectOf(event.entry));
    if (event.type === 'progress') return;
    this.#forget(event.previous.key);
    const gone = cache.objectOf(event.previous);
    this.#waiting.delete(metadataOf(gone).uid ?? '');
    for (const [key, object] of this.#ownedBy(gone)) await this.#collect(key, object);
    for (const { uid = '' } of metadataOf(gone).ownerReferences ?? []) await this.#release(uid);
  }

  #forget(key: string): void {
    const known = this.#objects.get(key);
    if (known === undefined) return;
    this.#objects.delete(key);
    for (const { uid = '' } of metadataOf(known).ownerReferences ?? []) {
      const keys = this.#owned.get(uid);
      keys?.delete(key);
      if (keys?.size === 0) this.#owned.delete(uid);
    }
  }

  #ownedBy(owner: KubernetesObject): readonly (readonly [string, KubernetesObject])[] {
    const keys = this.#owned.get(metadataOf(owner).uid ?? '') ?? [];
    return [...keys].flatMap((key) => {
      const object = this.#objects.get(key);
      return object === undefined ? [] : [[key, object] as const];
    });
  }

  // Deletes an object none of whose owners is there.
  async #collect(key: string, object: KubernetesObject): Promise<void> {
    const { ownerReferences, namespace = '', uid, deletionTimestamp } = metadataOf(object);
    if (deletionTimestamp) return;
    for (const owner of ownerReferences ?? []) {
      if (await this.#isThere(owner, namespace)) return;
    }
    const path = this.#pathOf(object);
    if (path === undefined || !this.#objects.has(key)) return;
    await this.#client.ask({
      method: 'DELETE',
      path,
      body: { preconditions: { uid }, propagationPolicy: 'Background' },
    });
  }

  async #isThere(owner: Owner, namespace: string): Promise<boolean> {
    const { apiVersion = '', kind = '', name = '', uid } = owner;
    const { schemas } = this.#machinery.cluster;
    const resource = findResourceOfKind(schemas, { ...groupVersionOf(apiVersion), kind });
    // Nothing is known about an owner of an unknown kind, so that it may be there.
    if (resource === undefined) return true;
    const endpoint = endpointOf(schemas, resource);
    const entry = await this.#machinery.registry.store.get(keyOf(endpoint, namespace, name));
    if (entry === undefined) return false;
    const found = metadataOf(this.#machinery.registry.cache.objectOf(entry));
    return found.uid === uid;
  }

  async #orphan(owner: KubernetesObject): Promise<void> {
    const { uid } = metadataOf(owner);
    for (const [, object] of this.#ownedBy(owner)) {
      const owners = metadataOf(object).ownerReferences ?? [];
      const ownerReferences = owners.filter((each) => each.uid !== uid);
      await this.#merge(object, { ownerReferences });
    }
    await this.#withoutFinalizer(owner, 'orphan');
  }

  async #deleteOwned(owner: KubernetesObject): Promise<void> {
    const blocking = this.#blockedBy(owner);
    for (const [, object] of blocking) {
      const path = this.#pathOf(object);
      if (path === undefined || metadataOf(object).deletionTimestamp) continue;
      await this.#client.ask({ method: 'DELETE', path, body: { propagationPolicy: 'Foreground' } });
    }
    if (this.#blockedBy(owner).length === 0) {
      await this.#withoutFinalizer(owner, 'foregroundDeletion');
    }
  }

  #blockedBy(owner: KubernetesObject): readonly (readonly [string, KubernetesObject])[] {
    const { uid } = metadataOf(owner);
    return this.#ownedBy(owner).filter(([, object]) =>
      metadataOf(object).ownerReferences?.some(
        (each) => each.uid === uid && each.blockOwnerDeletion === true,
      ),
    );
  }

  // Checks a waiting owner again after one of its dependents was deleted.
  async #release(uid: string): Promise<void> {
    const key = this.#waiting.get(uid);
    if (key === undefined) return;
    const { store, cache } = this.#machinery.registry;
    const entry = await store.get(key);
    if (entry === undefined) return;
    const object = cache.objectOf(entry);
    const { uid: own, finalizers } = metadataOf(object);
    if (own === uid && finalizers?.includes('foregroundDeletion')) await this.#deleteOwned(object);
  }

  async #withoutFinalizer(object: KubernetesObject, finalizer: string): Promise<void> {
    const finalizers = (metadataOf(object).finalizers ?? []).filter((name) => name !== finalizer);
    await this.#merge(object, { finalizers });
  }

  async #merge(object: KubernetesObject, metadata: KubernetesObject): Promise<void> {
    const path = this.#pathOf(object);
    if (path === undefined) return;
    await this.#client.ask({
      method: 'PATCH',
      path,
      contentType: 'application/merge-patch+json',
      body: { metadata },
    });
  }

  #pathOf(object: KubernetesObject): string | undefined {
    const kind = kindOfObject(object);
    const resource = kind && findResourceOfKind(this.#machinery.cluster.schemas, kind);
    const { namespace = '', name = '' } = metadataOf(object);
    return resource && objectPath(resource, namespace, name);
  }
}
