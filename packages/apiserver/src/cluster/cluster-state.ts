import { RefusedResourcesError } from '@kubeadmit/admission';
import type { PluginCluster, PluginSet } from '@kubeadmit/admission/plugins';
import { ChangingPermissions } from '@kubeadmit/admission/roles';
import {
  readStaticManifests,
  type StaticManifest,
  type StaticProblem,
} from '@kubeadmit/admission/static-policies';
import { ChangingCluster, type ClusterPlugins } from '@kubeadmit/admission/unstable-internal';
import { type KubernetesObject, labelsOf, member } from '@kubeadmit/apimachinery';
import { type Authorizer, isPolicyKind, parseVersion } from '@kubeadmit/engine';
import type { PolicyCompilers } from '@kubeadmit/engine/unstable-internal';
import { compareText, deepEqual } from '@kubeadmit/go';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import type { Clock } from '../host/host.ts';
import { endpointOf } from '../kinds/endpoint.ts';
import { validateStaticWebhooks } from '../kinds/validate-webhooks.ts';
import { groupVersionOf } from '../objects/group-version.ts';
import { nameOf } from '../objects/metadata.ts';
import type { ObjectCache } from '../store/object-cache.ts';
import type { Store, StoredEntry, StoreEvent } from '../store/store.ts';
import { DefinitionListeners } from './definition-listeners.ts';
import { type KeptKind, keptPrefixes } from './kept-resources.ts';
import { KnownDefinitions } from './known-definitions.ts';
import { prefixesOf, ServerPluginCluster } from './plugin-cluster.ts';
import { SeenRevision } from './seen-revision.ts';

/** The sources of a cluster's state. */
export interface ClusterStateOptions {
  readonly store: Store;
  readonly cache: ObjectCache;
  /** The built-in kinds. */
  readonly schemas: Schemas;
  readonly kubernetesVersion: string;
  readonly allowsEverything: boolean;
  readonly clock: Clock;
  readonly randomUid: () => string;
  /** The admission plugins, whose objects are kept. */
  readonly plugins: PluginSet;
}

const everything: Authorizer = { authorize: () => ({ decision: 'allow', reason: '' }) };

/**
 * The state that decides about requests, kept up to date by a watch of the store: policies, webhooks, permissions,
 * namespaces, definitions and parameters. Policies, permissions and definitions apply each change separately.
 */
export class ClusterState {
  readonly #options: ClusterStateOptions;
  readonly #kept: Map<string, Map<string, KubernetesObject>> = new Map();
  readonly #kinds: Map<string, KeptKind> = new Map(Object.entries(keptPrefixes));
  readonly #parameterPrefixes: Set<string> = new Set();
  /** Kinds that policies name as that of their parameters and whose objects are not kept yet, or unknown. */
  readonly #wantedKinds: Map<string, { readonly apiVersion: string; readonly kind: string }> =
    new Map();
  /** The schemas in which the wanted kinds were looked for. */
  #searched: Schemas | undefined;
  /** Objects that are being read, and the revision of each key that was written in the meantime. */
  readonly #readings: Map<string, { touched: Map<string, number>; done: Promise<void> }> =
    new Map();
  readonly #namespaceNames: Map<string, KubernetesObject> = new Map();
  readonly #definitions: KnownDefinitions;
  /** Roles that take their rules from others, by their keys. */
  readonly #aggregating: Map<string, KubernetesObject> = new Map();
  readonly #seen: SeenRevision = new SeenRevision();
  readonly #abort: AbortController = new AbortController();
  #currentSchemas: Schemas;
  readonly #policies: ChangingCluster;
  /** The webhook configurations of the server's own disk. */
  #staticWebhooks: readonly KubernetesObject[] = [];
  /** The admission plugins and the objects that they read. */
  readonly plugins: ClusterPlugins;
  /** Those who wait for a definition to change. */
  readonly definitionListeners: DefinitionListeners = new DefinitionListeners();
  /** All roles and their bindings. */
  readonly permissions: ChangingPermissions = new ChangingPermissions();

  constructor(options: ClusterStateOptions) {
    this.#options = options;
    this.#definitions = new KnownDefinitions(options.schemas);
    this.#currentSchemas = options.schemas;
    const prefixes = prefixesOf(options.schemas, options.plugins.reads);
    for (const prefix of prefixes.values()) {
      if (!this.#kinds.has(prefix)) this.#kinds.set(prefix, 'plugin');
    }
    this.plugins = { set: options.plugins, cluster: this.#pluginCluster(prefixes) };
    for (const prefix of this.#kinds.keys()) this.#kept.set(prefix, new Map());
    this.#policies = new ChangingCluster({
      schemas: options.schemas,
      kubernetesVersion: options.kubernetesVersion,
      namespaces: this.#namespaceNames,
      authorizer: () => this.authorizer,
    });
  }

  #pluginCluster(prefixes: ReadonlyMap<string, string>): PluginCluster {
    const { kubernetesVersion, clock, randomUid } = this.#options;
    return new ServerPluginCluster({
      minor: parseVersion(kubernetesVersion),
      schemas: () => this.schemas,
      authorizer: () => this.authorizer,
      now: () => clock.now(),
      randomUid,
      kept: this.#kept,
      prefixes,
    });
  }

  /** Reads the stored objects and follows their changes from then on. */
  async start(): Promise<void> {
    const revision = await this.#readAll();
    this.#seen.advance(revision);
    void this.#follow(revision);
  }

  // INVARIANT: the old state is valid until everything was read again, so that no policy is ever missing in
  // between.
  async #readAll(): Promise<number> {
    const { store } = this.#options;
    const revision = await store.revision();
    const read = new Map<string, Map<string, KubernetesObject>>();
    for (const prefix of [...this.#kinds.keys()]) {
      const { entries } = await store.range({ prefix, revision });
      const { cache } = this.#options;
      read.set(prefix, new Map(entries.map((entry) => [entry.key, cache.objectOf(entry)])));
    }
    for (const [prefix, objects] of read) {
      const known = this.#kept.get(prefix) ?? new Map<string, KubernetesObject>();
      for (const key of [...known.keys()]) {
        if (!objects.has(key)) this.#change(prefix, key, undefined);
      }
      for (const [key, object] of objects) {
        if (known.get(key) !== object) this.#change(prefix, key, object);
      }
    }
    return revision;
  }

  stop(): void {
    this.#abort.abort();
    this.#seen.end();
  }

  /** Resolves when every change up to a revision has been seen. */
  async caughtUp(revision: number): Promise<void> {
    await this.#seen.reached(revision);
  }

  /** All kinds that are served, those of definitions too. */
  get schemas(): Schemas {
    const { schemas } = this.#definitions;
    if (schemas !== this.#currentSchemas) {
      this.#currentSchemas = schemas;
      this.#policies.useSchemas(schemas);
    }
    return schemas;
  }

  /** Decides the permissions of users. */
  get authorizer(): Authorizer {
    return this.#options.allowsEverything ? everything : this.permissions;
  }

  get namespaces(): ReadonlyMap<string, KubernetesObject> {
    return this.#namespaceNames;
  }

  /** All CustomResourceDefinitions, those that are not served too. */
  definitions(): readonly KubernetesObject[] {
    return this.#objects('definition');
  }

  /** The CustomResourceDefinitions of a group by their keys. */
  definitionsOf(group: string): ReadonlyMap<string, KubernetesObject> {
    return this.#definitions.of(group);
  }

  clusterRoles(): Iterable<KubernetesObject> {
    return this.#kept.get('/registry/clusterroles/')?.values() ?? [];
  }

  /** The ClusterRoles that take their rules from others, by their keys. */
  get aggregatingRoles(): ReadonlyMap<string, KubernetesObject> {
    return this.#aggregating;
  }

  /** The CustomResourceDefinition of a name. */
  definition(name: string): KubernetesObject | undefined {
    return this.policy('apiextensions.k8s.io/customresourcedefinitions', name);
  }

  policy(resource: string, name: string): KubernetesObject | undefined {
    const prefix = `/registry/${resource}/`;
    return this.#kept.get(prefix)?.get(prefix + name);
  }

  /** The stored webhook configurations of a resource, ordered by their names. */
  webhookConfigurations(resource: string): readonly KubernetesObject[] {
    const objects = this.#kept.get(`/registry/${resource}/`);
    if (objects === undefined || objects.size === 0) return [];
    return [...objects.values()].sort((a, b) => compareText(nameOf(a), nameOf(b)));
  }

  /** The webhook configurations of a kind that the server reads from its own disk, ordered by their names. */
  staticWebhookConfigurations(kind: string): readonly KubernetesObject[] {
    return this.#staticWebhooks.filter((configuration) => configuration['kind'] === kind);
  }

  /** The compilers of the expressions of policies and webhooks. */
  get compilers(): PolicyCompilers {
    return this.#policies.loaded.compilers;
  }

  /**
   * The cluster for requests that only static manifests apply to; absent without static manifests. Invalid stored
   * policies do not matter here, so that they can be repaired.
   */
  get staticCluster(): ChangingCluster | undefined {
    const { staticPolicies } = this.#policies;
    return staticPolicies !== undefined || this.#staticWebhooks.length > 0
      ? this.#policies
      : undefined;
  }

  /**
   * Replaces the policies and webhook configurations that the server reads from its own disk. If they have problems,
   * returns these and keeps the previous ones.
   */
  useStaticManifests(manifests: readonly StaticManifest[]): readonly StaticProblem[] {
    const { schemas, kubernetesVersion } = this.#options;
    const options = { schemas, kubernetesVersion, validateWebhooks: validateStaticWebhooks };
    const { objects, errors } = readStaticManifests(manifests, options);
    if (errors.length > 0) return errors;
    const isPolicy = ({ kind = '' }: KubernetesObject): boolean => isPolicyKind(String(kind));
    this.#policies.useStaticPolicies(objects.filter(isPolicy));
    this.#staticWebhooks = objects
      .filter((object) => !isPolicy(object))
      .sort((a, b) => compareText(nameOf(a), nameOf(b)));
    return errors;
  }

  /** The policies, ready for requests. */
  async cluster(): Promise<ChangingCluster> {
    const { schemas } = this;
    if (this.#wantedKinds.size > 0 && this.#searched !== schemas) this.#keepParameters(schemas);
    // INVARIANT: no policy is evaluated while its parameters are being read.
    while (this.#readings.size > 0) {
      await Promise.all([...this.#readings.values()].map(({ done }) => done));
    }
    const { errors } = this.#policies;
    if (errors.length > 0) throw new RefusedResourcesError(errors);
    return this.#policies;
  }

  #objects(kind: KeptKind): KubernetesObject[] {
    const objects: KubernetesObject[] = [];
    for (const [prefix, own] of this.#kinds) {
      if (own === kind) objects.push(...(this.#kept.get(prefix)?.values() ?? []));
    }
    return objects;
  }

  // Objects that are kept anyway are not kept twice.
  #keepParameters(schemas: Schemas): void {
    this.#searched = schemas;
    for (const [name, { apiVersion, kind }] of this.#wantedKinds) {
      const resource = findResourceOfKind(schemas, { ...groupVersionOf(apiVersion), kind });
      if (resource === undefined) continue;
      this.#wantedKinds.delete(name);
      const { keyPrefix } = endpointOf(schemas, resource);
      if (this.#parameterPrefixes.has(keyPrefix)) continue;
      this.#parameterPrefixes.add(keyPrefix);
      const known = this.#kept.get(keyPrefix);
      if (known !== undefined) {
        for (const object of known.values()) this.#policies.changeParameter(undefined, object);
        continue;
      }
      this.#kinds.set(keyPrefix, 'parameter');
      this.#kept.set(keyPrefix, new Map());
      const touched = new Map<string, number>();
      const done = this.#read(keyPrefix, touched).finally(() => this.#readings.delete(keyPrefix));
      // Only callers that need the policies receive the error.
      done.catch(() => {});
      this.#readings.set(keyPrefix, { touched, done });
    }
  }

  // Writes since then are newer than the result.
  async #read(prefix: string, touched: ReadonlyMap<string, number>): Promise<void> {
    try {
      const { entries } = await this.#options.store.range({ prefix });
      for (const entry of entries) {
        if ((touched.get(entry.key) ?? 0) > entry.revision) continue;
        this.#change(prefix, entry.key, this.#options.cache.objectOf(entry));
      }
    } catch (error) {
      this.#kinds.delete(prefix);
      this.#kept.delete(prefix);
      this.#parameterPrefixes.delete(prefix);
      for (const policy of this.#objects('policy')) this.#wantParameters(policy);
      throw error;
    }
  }

  #wantParameters(policy: KubernetesObject): void {
    const paramKind = member(member(policy, 'spec'), 'paramKind');
    const apiVersion = member(paramKind, 'apiVersion');
    const kind = member(paramKind, 'kind');
    if (typeof apiVersion !== 'string' || typeof kind !== 'string') return;
    this.#wantedKinds.set(`${apiVersion} ${kind}`, { apiVersion, kind });
    this.#searched = undefined;
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
      this.#seen.advance(event.entry.revision);
      return;
    }
    if (event.type === 'delete') {
      const { key } = event.previous;
      const prefix = this.#prefixOf(key);
      if (prefix !== undefined) {
        this.#readings.get(prefix)?.touched.set(key, event.revision);
        this.#change(prefix, key, undefined);
      }
    }
    this.#seen.advance(event.revision);
  }

  #put(prefix: string, entry: StoredEntry): void {
    this.#readings.get(prefix)?.touched.set(entry.key, entry.revision);
    this.#change(prefix, entry.key, this.#options.cache.objectOf(entry));
  }

  #change(prefix: string, key: string, after: KubernetesObject | undefined): void {
    const objects = this.#kept.get(prefix);
    const before = objects?.get(key);
    if (before === undefined && after === undefined) return;
    if (after === undefined) objects?.delete(key);
    else objects?.set(key, after);
    if (this.#parameterPrefixes.has(prefix)) this.#policies.changeParameter(before, after);
    const kind = this.#kinds.get(prefix);
    switch (kind) {
      case 'policy':
        this.#policies.changePolicy(before, after);
        if (after !== undefined) this.#wantParameters(after);
        break;
      case 'namespace':
        this.#changeNamespace(key.slice(prefix.length), before, after);
        break;
      case 'permission':
        this.permissions.change(before, after);
        if (after !== undefined && member(after, 'aggregationRule'))
          this.#aggregating.set(key, after);
        else this.#aggregating.delete(key);
        break;
      case 'definition':
        this.#definitions.change(key, before, after);
        this.definitionListeners.change(before, after);
        break;
      default:
    }
  }

  #changeNamespace(
    name: string,
    before: KubernetesObject | undefined,
    after: KubernetesObject | undefined,
  ): void {
    if (after === undefined) this.#namespaceNames.delete(name);
    else this.#namespaceNames.set(name, after);
    if (!deepEqual(before && labelsOf(before), after && labelsOf(after))) {
      this.#policies.reconsider();
    }
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
}
