import { setTimeout as sleep } from 'node:timers/promises';
import { type KubernetesObject, member, metadataString } from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { parseJson } from '@kubeadmit/cel';
import type { Log } from '../logging/log.ts';
import type { ApiClient } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { Backoff } from './backoff.ts';

const pageSize = 500;
const watchSeconds = 290;
const graceSeconds = 30;
const gone = 410;
const notFound = 404;
/** The codes of answers that repeating does not change: lists are forbidden, or the resource has no list. */
const refused: ReadonlySet<number> = new Set([403, 405]);

/** A collection of the API and the kind of its items. */
export interface Collection {
  /** `/apis/GROUP/VERSION/RESOURCE`, with selectors as its query or without one. */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Policies read the collection, and other policies work without it. */
  readonly isLookup?: boolean;
  /** A tenant's policy may name the collection: answers do not wait for it if it cannot be read. */
  readonly isOptional?: boolean;
}

/** The state of a collection's watch. */
export interface WatchState {
  /** The group, version and resource, as in `apps/v1/deployments`. */
  readonly resource: string;
  /** Seconds since the last event, bookmark or list, or since the start if there was none. */
  readonly ageSeconds: number;
  /** Lists after the first one. */
  readonly relists: number;
  /** Failed lists and watches. */
  readonly errors: number;
}

/** Receives changes to the objects of a collection. */
export interface ReflectorListener {
  /** The objects changed. */
  changed(): void;
  /**
   * One object was created, changed or deleted; follows a change of all objects, too.
   *
   * @param isFirst whether the object was read by the first list, so that its history is unknown
   */
  one?(object: KubernetesObject, isDeleted: boolean, isFirst: boolean): void;
  /** The server does not serve the collection. Without this method, all objects count as deleted. */
  notServed?(): void;
}

/**
 * Mirrors the objects of a collection of the API server: lists them in pages, watches from there, resumes a watch that
 * ends, lists again when the server has forgotten the changes since (410), and waits longer after each failure.
 */
export class Reflector {
  readonly collection: Collection;
  readonly #client: ApiClient;
  readonly #log: Log;
  readonly #listener: ReflectorListener;
  readonly #ending: AbortController = new AbortController();
  readonly #backoff: Backoff = new Backoff();
  #held: Map<string, KubernetesObject> = new Map();
  #resourceVersion = '';
  #hasListed = false;
  #lastProblem = '';
  #wasRefused = false;
  #lastHeard = performance.now();
  #lists = 0;
  #errors = 0;

  constructor(collection: Collection, client: ApiClient, listener: ReflectorListener, log: Log) {
    this.collection = collection;
    this.#client = client;
    this.#listener = listener;
    this.#log = log;
  }

  /** The objects, as they were at the last word of the server. */
  get objects(): Iterable<KubernetesObject> {
    return this.#held.values();
  }

  /** Whether all objects were read once. */
  get isSynced(): boolean {
    return this.#hasListed;
  }

  /** Why the objects may not be the newest; empty when they are. */
  get problem(): string {
    return this.#lastProblem;
  }

  /** Whether the server refuses to list the collection, and no list has succeeded. */
  get isRefused(): boolean {
    return this.#wasRefused && !this.#hasListed;
  }

  /** The state of the collection's watch. */
  get state(): WatchState {
    return {
      resource: this.collection.path.replace(/^\/apis?\//, '').replace(/\?.*/, ''),
      ageSeconds: (performance.now() - this.#lastHeard) / 1000,
      relists: Math.max(0, this.#lists - 1),
      errors: this.#errors,
    };
  }

  /** Follows the collection until it is stopped; never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      try {
        if (this.#resourceVersion === '') await this.#list();
        await this.#watch();
        this.#backoff.reset();
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error);
      }
    }
  }

  stop(): void {
    this.#ending.abort();
  }

  async #recover(error: unknown): Promise<void> {
    const code = error instanceof ApiError ? error.code : -1;
    if (code !== gone) this.#errors++;
    if (refused.has(code) && !this.#hasListed && !this.#wasRefused) {
      this.#wasRefused = true;
      this.#lastProblem = String(error);
      this.#listener.changed();
    }
    if (code === gone) {
      this.#resourceVersion = '';
      this.#log.info(
        { path: this.collection.path },
        'listing again, because the resource version expired',
      );
      return;
    }
    if (code === notFound) this.#leave();
    const isFirstProblem = !this.#hasListed && this.#lastProblem === '';
    this.#lastProblem = errorText(error);
    if (isFirstProblem) this.#listener.changed();
    this.#log.warn({ path: this.collection.path, problem: this.#lastProblem }, 'watching failed');
    await sleep(this.#backoff.next(), undefined, { signal: this.#ending.signal }).catch(
      () => undefined,
    );
  }

  // A resource that is no longer served has no objects, or is served in another version.
  #leave(): void {
    if (this.#listener.notServed !== undefined) {
      this.#resourceVersion = '';
      this.#hasListed = false;
      this.#listener.notServed();
    } else if (this.#hasListed) this.#replace(new Map());
  }

  async #list(): Promise<void> {
    const found = new Map<string, KubernetesObject>();
    let version = '';
    for await (const page of this.#client.pages(this.collection.path, pageSize)) {
      version = page.resourceVersion;
      for (const item of page.items) found.set(keyOf(item), this.#complete(item));
    }
    if (this.#ending.signal.aborted) return;
    this.#resourceVersion = version;
    this.#lastProblem = '';
    this.#backoff.reset();
    this.#hasListed = true;
    this.#wasRefused = false;
    this.#lists++;
    this.#lastHeard = performance.now();
    this.#replace(found);
  }

  async #watch(): Promise<void> {
    const { path } = this.collection;
    const separator = path.includes('?') ? '&' : '?';
    const query = `watch=true&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}&resourceVersion=${this.#resourceVersion}`;
    const call = new AbortController();
    const end = (): void => call.abort();
    // A disconnected server sends nothing more.
    const late = setTimeout(end, (watchSeconds + graceSeconds) * 1000);
    this.#ending.signal.addEventListener('abort', end);
    if (this.#ending.signal.aborted) end();
    try {
      const lines = await this.#client.lines(path + separator + query, call.signal);
      this.#lastProblem = '';
      this.#lastHeard = performance.now();
      for await (const line of lines) {
        this.#lastHeard = performance.now();
        this.#take(parseJson(line));
      }
    } finally {
      clearTimeout(late);
      this.#ending.signal.removeEventListener('abort', end);
    }
  }

  #take(event: unknown): void {
    const type = member(event, 'type');
    const object = member(event, 'object') as KubernetesObject;
    if (type === 'ERROR') {
      throw new ApiError(Number(member(object, 'code') ?? 0), String(member(object, 'message')));
    }
    this.#resourceVersion = metadataString(object, 'resourceVersion');
    if (type === 'BOOKMARK') return;
    const complete = this.#complete(object);
    if (type === 'DELETED') this.#held.delete(keyOf(object));
    else this.#held.set(keyOf(object), complete);
    this.#listener.one?.(complete, type === 'DELETED', false);
    this.#listener.changed();
  }

  #replace(objects: Map<string, KubernetesObject>): void {
    const before = this.#held;
    this.#held = objects;
    const { one } = this.#listener;
    if (one !== undefined) {
      for (const [key, object] of before) if (!objects.has(key)) one(object, true, false);
      for (const object of objects.values()) one(object, false, this.#lists === 1);
    }
    this.#listener.changed();
  }

  // Items of a list do not contain their kind.
  #complete(object: KubernetesObject): KubernetesObject {
    const { apiVersion, kind } = this.collection;
    return { ...object, apiVersion, kind };
  }
}

function keyOf(object: KubernetesObject): string {
  return `${metadataString(object, 'namespace')}/${metadataString(object, 'name')}`;
}
