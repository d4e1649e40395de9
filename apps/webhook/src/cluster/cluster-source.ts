import {
  formatGroupVersion,
  type KubernetesObject,
  member,
  memberList,
  metadataString,
} from '@kubeadmit/apimachinery';
import { errorText, groupBy } from '@kubeadmit/base';
import { stringifyJson } from '@kubeadmit/go';
import type { Log } from '../logging/log.ts';
import type { NamespaceChange } from '../policies/live-namespaces.ts';
import {
  type FollowedGroup,
  followedGroups,
  followedPath,
  ownGroup,
  type PolicyGroups,
} from '../policies/policy-groups.ts';
import type { SourceText } from '../policies/snapshot.ts';
import type { ApiClient } from './api-client.ts';
import { kyvernoLookups } from './kyverno-lookups.ts';
import { namespaceChange } from './namespace-lookup.ts';
import {
  type Collection,
  Reflector,
  type ReflectorListener,
  type WatchState,
} from './reflector.ts';

interface ObjectKind {
  readonly apiVersion: string;
  readonly kind: string;
}

const namespacesPath = '/api/v1/namespaces';
const definitionKind = 'CustomResourceDefinition';
const settleMilliseconds = 100;
const firstMilliseconds = 5;
const discoveryMilliseconds = 10_000;

/** Receives changes of the cluster's content. */
export interface ClusterSourceListener {
  /** Policies, or objects that they need, changed. */
  changed(): void;
  /** Namespaces were created, changed or deleted. */
  namespaces(changes: readonly NamespaceChange[]): void;
}

/**
 * The policies of a cluster and their dependencies: bindings, namespaces, definitions of custom resources, and
 * parameters of any kind that a policy names.
 */
export class ClusterSource {
  readonly #client: ApiClient;
  readonly #groups: PolicyGroups;
  readonly #log: Log;
  readonly #listener: ClusterSourceListener;
  readonly #reflectors: Map<string, Reflector> = new Map();
  #settling: NodeJS.Timeout | undefined;
  /** When the listener was last called, by `performance.now()`. */
  #settled = Number.NEGATIVE_INFINITY;
  #discovering: NodeJS.Timeout | undefined;
  #looksIntoNamespaces = false;
  #isDiscovered = false;
  #servesPolicies = true;
  /** Why the kinds of the cluster were not found last; empty when they were. */
  #discoveryProblem = '';
  /** The needs of the policies at the last successful discovery. */
  #discovered = '';
  /** Pending discoveries for the dependencies of policies. */
  #needed = 0;

  constructor(client: ApiClient, groups: PolicyGroups, listener: ClusterSourceListener, log: Log) {
    this.#client = client;
    this.#groups = groups;
    this.#listener = listener;
    this.#log = log;
  }

  /** Starts following the cluster; kinds that are added later are found later. */
  start(): void {
    void this.#discover();
    this.#discovering = setInterval(() => void this.#discover(), discoveryMilliseconds);
  }

  stop(): void {
    clearInterval(this.#discovering);
    clearTimeout(this.#settling);
    for (const reflector of this.#reflectors.values()) reflector.stop();
  }

  /** The data that is not known yet; empty once everything has been read. */
  get missing(): string {
    if (!this.#isDiscovered || this.#needed > 0) {
      return withProblem('the kinds of the cluster', this.#discoveryProblem);
    }
    return [...this.#reflectors.values()]
      .filter((reflector) => !reflector.isSynced && !this.#isWithheld(reflector))
      .map(({ collection, problem }) => withProblem(collection.path, problem))
      .join(', ');
  }

  /** Kinds of parameters that we may not read, as `APIVERSION KIND`. */
  get unreadableKinds(): readonly string[] {
    return [...this.#reflectors.values()]
      .filter((reflector) => this.#isWithheld(reflector))
      .map(({ collection: { apiVersion, kind } }) => `${apiVersion} ${kind}`);
  }

  // Missing lookup data does not block answers: the policies that need it report errors.
  #isWithheld({ collection, isRefused, isSynced, problem }: Reflector): boolean {
    const isUnreadable = !isSynced && problem !== '' && collection.isOptional === true;
    return isUnreadable || (isRefused && collection.isLookup === true);
  }

  /** The state of the watch of each resource. */
  get watches(): readonly WatchState[] {
    return [...this.#reflectors.values()].map(({ state }) => state);
  }

  /** Why the known data may be outdated; empty if it is current. */
  get problem(): string {
    const failing = [...this.#reflectors.values()].filter(({ problem }) => problem !== '');
    const problems = [...groupBy(failing, ({ problem }) => problem)].map(
      ([problem, all]) => `${all.map(({ collection }) => collection.path).join(', ')}: ${problem}`,
    );
    const discovery =
      this.#discoveryProblem === '' ? [] : [`the kinds of the cluster: ${this.#discoveryProblem}`];
    return [...discovery, ...problems].join('; ');
  }

  /** Why no policy can come from the cluster; empty if policies can. */
  get lack(): string {
    if (this.#servesPolicies) return '';
    const own = this.#groups.own ? `; manifests/definitions.yaml defines those of ${ownGroup}` : '';
    return `the cluster has no supported policy kinds${own}`;
  }

  /** Every object, as a text with its name. */
  sources(): readonly SourceText[] {
    return [...this.#reflectors.values()].flatMap(({ objects, collection }) =>
      [...objects].map((object) => ({
        name: `${collection.path} ${nameOf(object)}`,
        text: stringifyJson(object),
      })),
    );
  }

  async #discover(): Promise<void> {
    try {
      const needs = this.#needs();
      const policies = await this.#policies();
      const wanted = [
        ...policies,
        { path: namespacesPath, apiVersion: 'v1', kind: 'Namespace' },
        {
          path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: definitionKind,
        },
        ...(await this.#parameters()),
        ...(await this.#lookups()),
      ];
      this.#looksIntoNamespaces = wanted.some(
        ({ path, isLookup }) => path === namespacesPath && isLookup === true,
      );
      this.#follow(wanted);
      this.#isDiscovered = true;
      this.#servesPolicies = policies.length > 0;
      this.#discoveryProblem = '';
      this.#discovered = needs;
    } catch (error) {
      this.#discoveryProblem = errorText(error);
      this.#log.warn(
        { problem: this.#discoveryProblem },
        'cannot discover the kinds of the cluster',
      );
    }
  }

  async #policies(): Promise<Collection[]> {
    const groups = followedGroups(this.#groups).map((group) => this.#policiesOf(group));
    return (await Promise.all(groups)).flat();
  }

  // The newest version of each kind of policies that is served.
  async #policiesOf({ group, versions, kinds }: FollowedGroup): Promise<Collection[]> {
    const found = new Map<string, Collection>();
    for (const version of versions) {
      const apiVersion = formatGroupVersion({ group, version });
      const served = await this.#resourcesOf(apiVersion);
      for (const [kind, resource] of kinds) {
        if (found.has(kind) || !served.some(({ name }) => name === resource)) continue;
        const path = `/apis/${apiVersion}/${followedPath(kind, resource, this.#groups)}`;
        found.set(kind, { path, apiVersion, kind });
      }
    }
    return [...found.values()];
  }

  #parameterKinds(): ReadonlyMap<string, ObjectKind> {
    const kinds = new Map<string, ObjectKind>();
    for (const { collection, objects } of this.#reflectors.values()) {
      if (!/AdmissionPolicy$/.test(collection.kind) && !isOfKyverno(collection)) continue;
      for (const object of objects) {
        for (const { apiVersion, kind } of parameterKinds(object)) {
          kinds.set(`${apiVersion} ${kind}`, { apiVersion, kind });
        }
      }
    }
    return kinds;
  }

  async #parameters(): Promise<Collection[]> {
    const found: Collection[] = [];
    for (const { apiVersion, kind } of this.#parameterKinds().values()) {
      const served = await this.#resourcesIfServed(apiVersion);
      if (served === undefined) {
        found.push(...this.#followed(apiVersion).filter((each) => each.kind === kind));
        continue;
      }
      const resource = served.find((each) => each.kind === kind && !each.name.includes('/'));
      // A kind that is not served is an error that the policy reports.
      if (resource === undefined) continue;
      found.push({
        path: `${rootOf(apiVersion)}/${resource.name}`,
        apiVersion,
        kind,
        isLookup: true,
      });
    }
    return found;
  }

  #kyvernoPolicies(): readonly KubernetesObject[] {
    return [...this.#reflectors.values()]
      .filter(({ collection }) => isOfKyverno(collection))
      .flatMap(({ objects }) => [...objects]);
  }

  async #lookups(): Promise<Collection[]> {
    const found: Collection[] = [];
    for (const { apiVersion, resource } of kyvernoLookups(this.#kyvernoPolicies())) {
      const path = `${rootOf(apiVersion)}/${resource}`;
      const served = await this.#resourcesIfServed(apiVersion);
      if (served === undefined) {
        found.push(...this.#followed(apiVersion).filter((each) => each.path === path));
        continue;
      }
      const kind = served.find(({ name }) => name === resource)?.kind;
      if (kind === undefined) continue;
      found.push({ path, apiVersion, kind, isLookup: true, isOptional: true });
    }
    return found;
  }

  /** The collections of a version that are followed now; they stay so while the version does not answer. */
  #followed(apiVersion: string): readonly Collection[] {
    return [...this.#reflectors.values()]
      .map(({ collection }) => collection)
      .filter((collection) => collection.apiVersion === apiVersion && collection.isLookup === true);
  }

  /**
   * The resources of a version that a policy names: any tenant may have written it. Returns none for an invalid version,
   * which the policy reports, and `undefined` if the version does not answer.
   */
  async #resourcesIfServed(apiVersion: string): Promise<readonly ServedResource[] | undefined> {
    if (!/^(?:[a-z0-9.-]+\/)?[a-z0-9]+$/.test(apiVersion)) return [];
    try {
      return await this.#resourcesOf(apiVersion);
    } catch (error) {
      this.#log.warn(
        { apiVersion, problem: errorText(error) },
        'a policy reads an unavailable group',
      );
      return undefined;
    }
  }

  async #resourcesOf(apiVersion: string): Promise<readonly ServedResource[]> {
    const list = await this.#client.find(rootOf(apiVersion));
    const resources = (member(list, 'resources') ?? []) as readonly KubernetesObject[];
    return resources.map(({ name, kind }) => ({ name: String(name), kind: String(kind) }));
  }

  #follow(wanted: readonly Collection[]): void {
    const paths = new Set(wanted.map(({ path }) => path));
    for (const [path, reflector] of this.#reflectors) {
      if (paths.has(path)) continue;
      reflector.stop();
      this.#reflectors.delete(path);
      this.#settle();
    }
    for (const collection of wanted) {
      if (this.#reflectors.has(collection.path)) continue;
      const reflector = new Reflector(
        collection,
        this.#client,
        collection.path === namespacesPath
          ? this.#namespaceListener()
          : { changed: () => this.#take(collection) },
        this.#log,
      );
      this.#reflectors.set(collection.path, reflector);
      void reflector.run();
    }
  }

  // Requests see namespace changes at once. Policies are reloaded only if they read the collection itself, as
  // parameters or by rules.
  #namespaceListener(): ReflectorListener {
    let changes: NamespaceChange[] = [];
    let wasSynced = false;
    return {
      one: (object, isDeleted) => changes.push(namespaceChange(object, isDeleted)),
      changed: () => {
        if (changes.length > 0) this.#listener.namespaces(changes);
        changes = [];
        if (!wasSynced || this.#looksIntoNamespaces) this.#settle();
        wasSynced = this.#reflectors.get(namespacesPath)?.isSynced === true;
      },
    };
  }

  #take(collection: Collection): void {
    // A policy may need a kind that is not followed yet, and a definition may add it.
    const brings = /AdmissionPolicy$/.test(collection.kind) || isOfKyverno(collection);
    if (collection.kind === definitionKind || (brings && this.#needs() !== this.#discovered)) {
      void this.#discoverNeeded();
    }
    this.#settle();
  }

  // One discovery at a time; the last one covers all changes in between.
  async #discoverNeeded(): Promise<void> {
    this.#needed++;
    if (this.#needed > 1) return;
    do {
      this.#needed = 1;
      await this.#discover();
    } while (this.#needed > 1);
    this.#needed = 0;
    this.#settle();
  }

  // Returns the parameter kinds and lookups that the policies need.
  #needs(): string {
    return JSON.stringify([[...this.#parameterKinds()], kyvernoLookups(this.#kyvernoPolicies())]);
  }

  // A single change acts at once. Several changes often arrive together; the others wait for each other.
  #settle(): void {
    const rest = this.#settled + settleMilliseconds - performance.now();
    this.#settling ??= setTimeout(
      () => {
        this.#settling = undefined;
        this.#settled = performance.now();
        this.#listener.changed();
      },
      Math.max(firstMilliseconds, rest),
    );
  }
}

interface ServedResource {
  readonly name: string;
  readonly kind: string;
}

function withProblem(what: string, problem: string): string {
  return problem === '' ? what : `${what} (${problem})`;
}

// The kind that a policy takes parameters of, and those of the rules of a Kyverno policy.
function parameterKinds(policy: KubernetesObject): readonly ObjectKind[] {
  const spec = member(policy, 'spec');
  const rules = memberList(spec, 'rules').map((rule) => member(member(rule, 'validate'), 'cel'));
  return [spec, ...rules].flatMap((taker) => {
    const paramKind = member(taker, 'paramKind');
    const [apiVersion, kind] = [member(paramKind, 'apiVersion'), member(paramKind, 'kind')];
    return typeof apiVersion === 'string' && typeof kind === 'string' ? [{ apiVersion, kind }] : [];
  });
}

function isOfKyverno({ apiVersion }: Collection): boolean {
  return /^(?:policies\.)?kyverno\.io\//.test(apiVersion);
}

function nameOf(object: KubernetesObject): string {
  const [namespace, name] = ['namespace', 'name'].map((field) => metadataString(object, field));
  return namespace === '' ? `${name}` : `${namespace}/${name}`;
}

function rootOf(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
