import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ApiClient } from '../cluster/api-client.ts';
import type { ServedResource } from '../cluster/discovery.ts';
import { type Collection, Reflector } from '../cluster/reflector.ts';
import type { Log } from '../logging/log.ts';

/** Why a collection is watched. */
export type WatchRole =
  | 'trigger'
  | 'source'
  | 'generated'
  | 'expiring'
  | 'namespace'
  | 'mutation-trigger';

/** A collection of a cluster and why it is watched. */
export interface Watched {
  readonly role: WatchRole;
  readonly resource: ServedResource;
  /** Empty for all namespaces. */
  readonly namespace: string;
  /** Empty for all objects. */
  readonly labelSelector: string;
}

/** How a watched object changed. */
export interface WatchedChange {
  readonly isDeleted: boolean;
  /** Whether the object was read when its collection was first listed. */
  readonly isFirst: boolean;
  readonly watched: Watched;
}

/** Receives changes of watched objects. */
export interface WatchesListener {
  /** An object was created, changed or deleted. */
  changed(object: KubernetesObject, change: WatchedChange): void;
  /** All readable collections were read, maybe one of them after the others. */
  synced(): void;
  /** The server does not serve a collection, maybe because it serves another version of it. */
  notServed(): void;
}

// The roles of collections that generation does not read.
const otherRoles: ReadonlySet<WatchRole> = new Set(['expiring', 'mutation-trigger']);

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
  /** How many collections were read when the listener was last told. */
  #reported = 0;
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
    this.#reported = -1;
    this.#reportSynced();
  }

  /** Whether all collections that generation needs were read, except those that cannot be read. */
  get isSynced(): boolean {
    return this.#unread.every(({ watched: { role }, reflector }) => {
      return otherRoles.has(role) || reflector.problem !== '';
    });
  }

  /** Whether every collection was read, except those that cannot be read. */
  get isRead(): boolean {
    return this.#unread.every(({ reflector }) => reflector.problem !== '');
  }

  /** The collections of a role that were not read. */
  unread(role: WatchRole): readonly Watched[] {
    return [...this.#watches.values()]
      .filter(({ watched, reflector }) => watched.role === role && !reflector.isSynced)
      .map(({ watched }) => watched);
  }

  /** Why collections could not be read yet, as `PATH: ERROR`. */
  get unreadable(): readonly string[] {
    return this.#unread
      .filter(({ reflector }) => reflector.problem !== '')
      .map(({ reflector, watched }) => `${watched.resource.path}: ${reflector.problem}`);
  }

  get #unread(): readonly Watch[] {
    return [...this.#watches.values()].filter(
      ({ reflector }) => !reflector.isSynced && !reflector.isRefused,
    );
  }

  /** The collections that may not be read. */
  get forbidden(): readonly Watched[] {
    return [...this.#watches.values()]
      .filter(({ reflector }) => reflector.isRefused)
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
      one: (object: KubernetesObject, isDeleted: boolean, isFirst: boolean) =>
        this.#listener.changed(object, { isDeleted, isFirst, watched }),
      notServed: () => this.#notServed(),
    };
    const reflector = new Reflector(collectionOf(watched), this.#client, listener, this.#log);
    this.#watches.set(key, { watched, reflector });
    void reflector.run();
  }

  #notServed(): void {
    this.#reported = -1;
    this.#listener.notServed();
  }

  #reportSynced(): void {
    const read = [...this.#watches.values()].filter(({ reflector }) => reflector.isSynced).length;
    if (read === this.#reported || !this.isSynced) return;
    this.#reported = read;
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
