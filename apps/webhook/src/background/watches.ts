import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ApiClient } from '../cluster/api-client.ts';
import type { ServedResource } from '../cluster/discovery.ts';
import { type Collection, Reflector } from '../cluster/reflector.ts';
import type { Log } from '../operation/log.ts';

/** Why a collection is watched. */
export type WatchRole = 'trigger' | 'source' | 'generated' | 'expiring' | 'namespace';

/** A collection of a cluster and why it is watched. */
export interface Watched {
  readonly role: WatchRole;
  readonly resource: ServedResource;
  /** Empty for all namespaces. */
  readonly namespace: string;
  /** Empty for all objects. */
  readonly labelSelector: string;
}

/** Receives changes of watched objects. */
export interface WatchesListener {
  /** An object was created, changed or deleted. */
  changed(object: KubernetesObject, isDeleted: boolean, watched: Watched): void;
  /** All readable collections were read. */
  synced(): void;
  /** The server does not serve a collection, maybe because it serves another version of it. */
  notServed(): void;
}

interface Watch {
  readonly watched: Watched;
  readonly reflector: Reflector;
}

/** Watches the collections that background work needs. A collection that may not be read is left out. */
export class Watches {
  readonly #client: ApiClient;
  readonly #log: Log;
  readonly #listener: WatchesListener;
  readonly #watches: Map<string, Watch> = new Map();
  #wasSynced = false;
  #isStopped = false;

  constructor(client: ApiClient, log: Log, listener: WatchesListener) {
    this.#client = client;
    this.#log = log;
    this.#listener = listener;
  }

  /** Watches these collections and no others. */
  follow(wanted: readonly Watched[]): void {
    if (this.#isStopped) return;
    const all = new Map(wanted.map((watched) => [keyOf(watched), watched]));
    for (const [key, { reflector }] of this.#watches) {
      if (all.has(key)) continue;
      reflector.stop();
      this.#watches.delete(key);
    }
    for (const [key, watched] of all) {
      if (!this.#watches.has(key)) this.#start(key, watched);
    }
    this.#wasSynced = false;
    this.#reportSynced();
  }

  /** Whether all collections that generation needs and that may be read were read. */
  get isSynced(): boolean {
    return this.#unread.every(({ watched }) => watched.role === 'expiring');
  }

  /** Why collections could not be read yet, as `PATH: ERROR`. */
  get unreadable(): readonly string[] {
    return this.#unread
      .filter(({ reflector }) => reflector.problem !== '')
      .map(({ reflector, watched }) => `${watched.resource.path}: ${reflector.problem}`);
  }

  get #unread(): readonly Watch[] {
    return [...this.#watches.values()].filter(
      ({ reflector }) => !reflector.isSynced && !reflector.isForbidden,
    );
  }

  /** The collections that may not be read. */
  get forbidden(): readonly Watched[] {
    return [...this.#watches.values()]
      .filter(({ reflector }) => reflector.isForbidden)
      .map(({ watched }) => watched);
  }

  /** The collections that were read, with their objects. */
  *read(
    role: WatchRole,
  ): Iterable<{ readonly watched: Watched; readonly objects: Iterable<KubernetesObject> }> {
    for (const { watched, reflector } of this.#watches.values()) {
      if (watched.role !== role || !reflector.isSynced) continue;
      yield { watched, objects: reflector.objects };
    }
  }

  /** Ends all watches, and begins no other. */
  stop(): void {
    this.#isStopped = true;
    for (const { reflector } of this.#watches.values()) reflector.stop();
    this.#watches.clear();
  }

  #start(key: string, watched: Watched): void {
    const listener = {
      changed: () => this.#reportSynced(),
      one: (object: KubernetesObject, isDeleted: boolean) =>
        this.#listener.changed(object, isDeleted, watched),
      notServed: () => this.#notServed(),
    };
    const reflector = new Reflector(collectionOf(watched), this.#client, listener, this.#log);
    this.#watches.set(key, { watched, reflector });
    void reflector.run();
  }

  #notServed(): void {
    this.#wasSynced = false;
    this.#listener.notServed();
  }

  #reportSynced(): void {
    if (this.#wasSynced || !this.isSynced) return;
    this.#wasSynced = true;
    this.#listener.synced();
  }
}

function keyOf({ role, resource: { path }, namespace, labelSelector }: Watched): string {
  return [role, path, namespace, labelSelector].join(' ');
}

function collectionOf({ resource, namespace, labelSelector }: Watched): Collection {
  const { apiVersion, kind, path: all, resource: name } = resource;
  const path = namespace === '' ? all : all.replace(/[^/]+$/, `namespaces/${namespace}/${name}`);
  const query = labelSelector === '' ? '' : `?labelSelector=${encodeURIComponent(labelSelector)}`;
  return { path: path + query, apiVersion, kind };
}
