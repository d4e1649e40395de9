import { type Cluster, loadCluster, RbacAuthorizer } from '@kubeadmit/admission';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import type { Authorizer } from '@kubeadmit/engine';
import type { PolicyCompilers } from '@kubeadmit/engine/internal';
import { findResourceOfKind, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import { isEstablished } from '../definitions/conditions.ts';
import type { Clock } from '../host.ts';
import { endpointOf } from '../kinds/endpoint.ts';
import { groupVersionOf } from '../objects/group-version.ts';
import { nameOf, withoutMember } from '../objects/metadata.ts';
import type { ObjectCache } from '../registry/object-cache.ts';
import type { Store, StoredEntry, StoreEvent } from '../store/store.ts';
import { type KeptKind, keptPrefixes } from './kept-resources.ts';

/** What the state of a cluster is made from. */
export interface ClusterStateOptions {
  readonly store: Store;
  readonly cache: ObjectCache;
  /** What is known about built-in kinds. */
  readonly schemas: Schemas;
  readonly kubernetesVersion: string;
  readonly allowsEverything: boolean;
  readonly clock: Clock;
}

const everything: Authorizer = { authorize: () => ({ decision: 'allow', reason: '' }) };

/**
 * What decides about requests, kept beside the store by a watch of it: policies, webhooks, permissions, namespaces,
 * definitions and the parameters of policies. Each part is made anew when it is asked for after a change of its
 * objects, so that a write of anything else costs nothing.
 */
export class ClusterState {
  readonly #options: ClusterStateOptions;
  readonly #kept: Map<string, Map<string, KubernetesObject>> = new Map();
  readonly #kinds: Map<string, KeptKind> = new Map(Object.entries(keptPrefixes));
  readonly #parameterPrefixes: Set<string> = new Set();
  readonly #namespaceNames: Map<string, KubernetesObject> = new Map();
  readonly #stale: Set<KeptKind> = new Set(['policy', 'permission', 'definition']);
  readonly #waiting: { revision: number; resolve: () => void }[] = [];
  readonly #abort: AbortController = new AbortController();
  #seen = 0;
  #currentSchemas: Schemas;
  #currentCluster: Cluster | undefined;
  #currentAuthorizer: Authorizer = everything;

  constructor(options: ClusterStateOptions) {
    this.#options = options;
    this.#currentSchemas = options.schemas;
    for (const prefix of this.#kinds.keys()) this.#kept.set(prefix, new Map());
  }

  /** Reads what is there and follows the changes from then on. */
  async start(): Promise<void> {
    const revision = await this.#readAll();
    this.#advance(revision);
    void this.#follow(revision);
  }

  // INVARIANT: what was read before counts until all is read anew, so that no policy is ever missing in between.
  async #readAll(): Promise<number> {
    const { store } = this.#options;
    const revision = await store.revision();
    const read = new Map<string, Map<string, KubernetesObject>>();
    for (const prefix of [...this.#kinds.keys()]) {
      const { entries } = await store.range({ prefix, revision });
      const { cache } = this.#options;
      read.set(prefix, new Map(entries.map((entry) => [entry.key, cache.objectOf(entry)])));
    }
    this.#namespaceNames.clear();
    for (const [prefix, objects] of read) {
      this.#kept.set(prefix, objects);
      this.#note(prefix);
      if (this.#kinds.get(prefix) !== 'namespace') continue;
      for (const object of objects.values()) this.#namespaceNames.set(nameOf(object), object);
    }
    return revision;
  }

  stop(): void {
    this.#abort.abort();
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** Resolves when every change up to a revision has been seen. */
  async caughtUp(revision: number): Promise<void> {
    if (this.#seen >= revision || this.#abort.signal.aborted) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ revision, resolve });
    });
  }

  /** All kinds that are served, those of definitions too. */
  get schemas(): Schemas {
    if (this.#stale.delete('definition')) {
      const definitions = this.#objects('definition').filter(isEstablished);
      this.#currentSchemas = withDefinitions(this.#options.schemas, definitions);
      this.#stale.add('policy');
    }
    return this.#currentSchemas;
  }

  /** Decides what users may do. */
  get authorizer(): Authorizer {
    if (this.#options.allowsEverything) return everything;
    if (this.#stale.delete('permission')) {
      // Rules that a role aggregates are those that were written into it.
      const stored = this.#objects('permission').map((object) =>
        withoutMember(object, 'aggregationRule'),
      );
      this.#currentAuthorizer = new RbacAuthorizer(stored);
    }
    return this.#currentAuthorizer;
  }

  /** The namespaces by their names. */
  get namespaces(): ReadonlyMap<string, KubernetesObject> {
    return this.#namespaceNames;
  }

  /** All CustomResourceDefinitions, those that are not served too. */
  definitions(): readonly KubernetesObject[] {
    return this.#objects('definition');
  }

  /** All roles and their bindings. */
  permissions(): readonly KubernetesObject[] {
    return this.#objects('permission');
  }

  /** The CustomResourceDefinition of a name. */
  definition(name: string): KubernetesObject | undefined {
    const prefix = '/registry/apiextensions.k8s.io/customresourcedefinitions/';
    return this.#kept.get(prefix)?.get(prefix + name);
  }

  /** The policies of a resource by their names. */
  policiesOf(resource: string): ReadonlyMap<string, KubernetesObject> {
    const objects = this.#kept.get(`/registry/${resource}/`)?.values() ?? [];
    return new Map([...objects].map((object) => [nameOf(object), object]));
  }

  /** The webhook configurations of a kind, ordered by their names. */
  webhookConfigurations(resource: string): readonly KubernetesObject[] {
    const objects = this.#kept.get(`/registry/${resource}/`);
    if (objects === undefined || objects.size === 0) return [];
    return [...objects.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }

  /** What reads the expressions of policies and webhooks; policies that came since the last request are no matter. */
  async compilers(): Promise<PolicyCompilers> {
    const current = this.#currentCluster;
    const known = current?.schemas === this.schemas ? current : await this.cluster();
    return known.loaded.compilers;
  }

  /** The policies, ready for requests. */
  async cluster(): Promise<Cluster> {
    const { schemas } = this;
    if (this.#stale.has('policy')) await this.#keepParameters(schemas);
    if (this.#stale.delete('policy') || this.#currentCluster === undefined) {
      this.#currentCluster = loadCluster({
        schemas,
        kubernetesVersion: this.#options.kubernetesVersion,
        resources: [...this.#objects('policy'), ...this.#parameters()],
        areImmutable: true,
        takesNotes: false,
        previous: this.#currentCluster,
      });
    }
    return {
      ...this.#currentCluster,
      namespaces: this.#namespaceNames,
      authorizer: this.authorizer,
    };
  }

  #objects(kind: KeptKind): KubernetesObject[] {
    const objects: KubernetesObject[] = [];
    for (const [prefix, own] of this.#kinds) {
      if (own === kind) objects.push(...(this.#kept.get(prefix)?.values() ?? []));
    }
    return objects;
  }

  #parameters(): KubernetesObject[] {
    const prefixes = [...this.#parameterPrefixes].filter(
      (prefix) => this.#kinds.get(prefix) !== 'policy',
    );
    return prefixes.flatMap((prefix) => [...(this.#kept.get(prefix)?.values() ?? [])]);
  }

  // The kinds of parameters come and go with the policies; objects that are kept anyway are not kept twice.
  async #keepParameters(schemas: Schemas): Promise<void> {
    for (const policy of this.#objects('policy')) {
      const paramKind = member(member(policy, 'spec'), 'paramKind');
      const apiVersion = member(paramKind, 'apiVersion');
      const kind = member(paramKind, 'kind');
      if (typeof apiVersion !== 'string' || typeof kind !== 'string') continue;
      const named = { ...groupVersionOf(apiVersion), kind };
      const resource = findResourceOfKind(schemas, named);
      if (resource === undefined) continue;
      const { keyPrefix } = endpointOf(schemas, resource);
      this.#parameterPrefixes.add(keyPrefix);
      if (this.#kinds.has(keyPrefix)) continue;
      this.#kinds.set(keyPrefix, 'parameter');
      this.#kept.set(keyPrefix, new Map());
      await this.#read(keyPrefix);
    }
  }

  async #read(prefix: string): Promise<void> {
    const { entries } = await this.#options.store.range({ prefix });
    for (const entry of entries) this.#put(prefix, entry);
  }

  async #follow(after: number): Promise<void> {
    const { store } = this.#options;
    const watch = store.watch({ prefix: '/registry/', after, signal: this.#abort.signal });
    try {
      for await (const event of watch) this.#apply(event);
    } catch {
      // Too slow, or the store failed: everything is read again, for as long as that takes.
    }
    await this.#restart();
  }

  async #restart(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await this.#options.clock.sleep(100, signal);
      try {
        await this.start();
        return;
      } catch {
        // The store is still gone.
      }
    }
  }

  #apply(event: StoreEvent): void {
    if (event.type === 'put') {
      const prefix = this.#prefixOf(event.entry.key);
      if (prefix !== undefined) this.#put(prefix, event.entry);
      this.#advance(event.entry.revision);
      return;
    }
    if (event.type === 'delete') {
      const prefix = this.#prefixOf(event.previous.key);
      if (prefix !== undefined) this.#remove(prefix, event.previous);
    }
    this.#advance(event.revision);
  }

  #put(prefix: string, entry: StoredEntry): void {
    const object = this.#options.cache.objectOf(entry);
    this.#kept.get(prefix)?.set(entry.key, object);
    this.#note(prefix);
    if (this.#kinds.get(prefix) === 'namespace') this.#namespaceNames.set(nameOf(object), object);
  }

  #remove(prefix: string, { key }: StoredEntry): void {
    this.#kept.get(prefix)?.delete(key);
    this.#note(prefix);
    if (this.#kinds.get(prefix) === 'namespace') {
      this.#namespaceNames.delete(key.slice(prefix.length));
    }
  }

  #note(prefix: string): void {
    const kind = this.#kinds.get(prefix);
    if (kind !== undefined) this.#stale.add(kind);
    if (this.#parameterPrefixes.has(prefix)) this.#stale.add('policy');
  }

  #prefixOf(key: string): string | undefined {
    let end = key.indexOf('/', '/registry/'.length) + 1;
    while (end > 0) {
      const prefix = key.slice(0, end);
      if (this.#kinds.has(prefix)) return prefix;
      end = key.indexOf('/', end) + 1;
    }
    return undefined;
  }

  #advance(revision: number): void {
    this.#seen = Math.max(this.#seen, revision);
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const waiter = this.#waiting[at];
      if (waiter === undefined || waiter.revision > this.#seen) continue;
      this.#waiting.splice(at, 1);
      waiter.resolve();
    }
  }
}
