import type { GroupVersionKind, KubernetesObject } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { storeCustomResource } from '@kubeadmit/custom-resources';
import {
  type Authorizer,
  type MutatingPolicy,
  type ParamKind,
  type PolicyKind,
  parseVersion,
  type ValidatingPolicy,
} from '@kubeadmit/engine';
import { handsOnStructs } from '@kubeadmit/engine/unstable-internal';
import { deepEqual } from '@kubeadmit/go';
import { ParameterStore } from '@kubeadmit/matcher';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import type { Cluster } from './cluster.ts';
import { kindOf } from './convert-object.ts';
import { decodeProblem, LoadedPolicies, type ResourceProblem } from './loaded-policies.ts';
import {
  groupKindKey,
  parameterInVersion,
  parameterKind,
  paramKey,
  paramKindOf,
} from './parameter-kind.ts';
import { addTo, makePolicySet, type PolicySet, refresh, takeFrom } from './policy-set.ts';
import { readPolicy } from './read-policy.ts';

/** The surroundings of the policies in a cluster that changes. */
export interface ChangingClusterOptions {
  /** All kinds that are known at first; see {@link ChangingCluster.useSchemas}. */
  readonly schemas: Schemas;
  readonly kubernetesVersion: string;
  /** The namespaces by their names, as they are at any time; see {@link ChangingCluster.reconsider}. */
  readonly namespaces: ReadonlyMap<string, KubernetesObject>;
  /** Answers the authorization checks of policies; called for each check. */
  readonly authorizer: () => Authorizer;
}

/** A kind of parameters that policies name, and those policies. */
interface ParametersInUse {
  readonly paramKind: ParamKind;
  readonly users: Set<KubernetesObject>;
  /** The kind and definition that the parameters are decoded with. */
  source: unknown;
  /** The kind of the objects, where there is one. */
  kind: GroupVersionKind | undefined;
  parameters: ParameterStore | undefined;
}

/**
 * A cluster whose policies, bindings and parameters are added and removed one by one.
 *
 * The cost of a change depends only on the changed object, apart from a new search for the policies of affected
 * requests. Later requests get the same answers as from a cluster loaded with the current objects. A request in
 * progress sees the changes, as in kube-apiserver.
 *
 * INVARIANT: callers never modify an object that they passed in, and no two objects of a kind share a name at the
 * same time.
 */
export class ChangingCluster implements Cluster {
  readonly namespaces: ReadonlyMap<string, KubernetesObject>;
  readonly handsOnStructs: boolean;
  readonly storeCustomResource: typeof storeCustomResource = storeCustomResource;
  readonly loaded: LoadedPolicies;
  readonly policies: PolicySet;
  readonly notes: readonly never[] = [];
  readonly #authorizer: () => Authorizer;
  /** The accepted policies and bindings in the form of v1, by the given objects. */
  readonly #accepted: Map<KubernetesObject, KubernetesObject> = new Map();
  readonly #problems: Map<KubernetesObject, ResourceProblem> = new Map();
  readonly #inUse: Map<string, ParametersInUse> = new Map();
  /** The objects of each kind that can be parameters, by group and kind. */
  readonly #objects: Map<string, Set<KubernetesObject>> = new Map();
  /** The static policies that the server reads from its own disk. */
  #ofDisk: readonly KubernetesObject[] = [];
  #staticPolicies: PolicySet | undefined;
  #schemas: Schemas;

  constructor({ schemas, kubernetesVersion, namespaces, authorizer }: ChangingClusterOptions) {
    const minor = parseVersion(kubernetesVersion);
    this.#schemas = schemas;
    this.namespaces = namespaces;
    this.#authorizer = authorizer;
    this.handsOnStructs = handsOnStructs(minor);
    this.loaded = new LoadedPolicies({ schemas, minor, code: minor }, undefined);
    this.policies = makePolicySet({
      shared: this.loaded.shared,
      parametersOf: (paramKind) => this.#inUse.get(paramKey(paramKind))?.parameters,
    });
  }

  get schemas(): Schemas {
    return this.#schemas;
  }

  get authorizer(): Authorizer {
    return this.#authorizer();
  }

  get errors(): readonly ResourceProblem[] {
    return this.#problems.size === 0 ? [] : [...this.#problems.values()];
  }

  get validatingPolicies(): readonly ValidatingPolicy[] {
    return this.#policiesOf('ValidatingAdmissionPolicy');
  }

  get mutatingPolicies(): readonly MutatingPolicy[] {
    return this.#policiesOf('MutatingAdmissionPolicy');
  }

  /** Replaces a policy or binding. `undefined` as the first argument adds one, as the second it removes one. */
  changePolicy(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void {
    // Adding comes first, so that parameters used by both policies are not read again.
    if (after !== undefined) this.#addPolicy(after);
    if (before !== undefined) this.#removePolicy(before);
  }

  /** Replaces an object that policies may have as their parameter; see {@link changePolicy}. */
  changeParameter(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void {
    const object = after ?? before;
    if (object === undefined) return;
    const key = groupKindKey(kindOf(object));
    const objects = getOrMake(this.#objects, key, () => new Set());
    if (before !== undefined) {
      objects.delete(before);
      this.#problems.delete(before);
    }
    if (after !== undefined) objects.add(after);
    else if (objects.size === 0) this.#objects.delete(key);
    for (const inUse of this.#inUse.values()) {
      if (inUse.kind === undefined || groupKindKey(inUse.kind) !== key) continue;
      if (before !== undefined) inUse.parameters?.remove(before);
      if (after !== undefined) this.#putParameter(inUse, after);
    }
  }

  /** Replaces the schemas; parameters of kinds whose definition changed are read again. */
  useSchemas(schemas: Schemas): void {
    this.#schemas = schemas;
    for (const inUse of this.#inUse.values()) this.#provide(inUse);
    this.reconsider();
  }

  /** Takes note that labels of namespaces are others than before. */
  reconsider(): void {
    for (const set of [this.policies, this.#staticPolicies]) {
      set?.validating.index.reconsider();
      set?.mutating.index.reconsider();
    }
  }

  /** The policies that the server reads from its own disk; absent where it reads none. */
  get staticPolicies(): PolicySet | undefined {
    return this.#staticPolicies;
  }

  /**
   * Replaces all that the server reads from its own disk (`readStaticManifests`): policies and bindings that it takes,
   * none of which has parameters.
   */
  useStaticPolicies(objects: readonly KubernetesObject[]): void {
    const { shared } = this.loaded;
    const policies = makePolicySet({ shared, parametersOf: () => undefined });
    for (const object of objects) addTo(policies, object);
    this.#ofDisk = objects;
    this.#staticPolicies = objects.length === 0 ? undefined : policies;
  }

  #policiesOf(kind: PolicyKind): readonly KubernetesObject[] {
    const all = [...this.#ofDisk, ...this.#accepted.values()];
    return all.filter((object) => object['kind'] === kind);
  }

  #addPolicy(resource: KubernetesObject): void {
    const loaded = readPolicy(this.#schemas, resource, this.loaded.compilers);
    if (loaded.problem !== undefined) {
      this.#problems.set(resource, loaded.problem);
      return;
    }
    const { policy } = loaded;
    this.#accepted.set(resource, policy);
    const paramKind = paramKindOf(policy);
    if (paramKind !== undefined) this.#use(paramKind, policy);
    addTo(this.policies, policy);
  }

  #removePolicy(resource: KubernetesObject): void {
    this.#problems.delete(resource);
    const policy = this.#accepted.get(resource);
    if (policy === undefined) return;
    this.#accepted.delete(resource);
    takeFrom(this.policies, policy);
    const paramKind = paramKindOf(policy);
    if (paramKind === undefined) return;
    const inUse = this.#inUse.get(paramKey(paramKind));
    inUse?.users.delete(policy);
    if (inUse?.users.size === 0) this.#inUse.delete(paramKey(paramKind));
  }

  #use(paramKind: ParamKind, policy: KubernetesObject): void {
    const key = paramKey(paramKind);
    const known = this.#inUse.get(key);
    if (known !== undefined) {
      known.users.add(policy);
      return;
    }
    const inUse: ParametersInUse = {
      paramKind,
      users: new Set([policy]),
      source: undefined,
      kind: undefined,
      parameters: undefined,
    };
    this.#inUse.set(key, inUse);
    this.#provide(inUse);
  }

  // INVARIANT: a policy never has the parameters of a kind as it was defined before.
  #provide(inUse: ParametersInUse): void {
    const known = parameterKind(this.#schemas, inUse.paramKind);
    const source = known && {
      namespaced: known.namespaced,
      definition: findDefinition(this.#schemas, known.kind)?.definition,
    };
    if (deepEqual(source, inUse.source)) return;
    inUse.source = source;
    inUse.kind = known?.kind;
    inUse.parameters = known && new ParameterStore(known.namespaced, known.isWatched);
    const objects = known && this.#objects.get(groupKindKey(known.kind));
    for (const object of objects ?? []) this.#putParameter(inUse, object);
    for (const user of inUse.users) refresh(this.policies, user);
  }

  #putParameter({ kind, parameters }: ParametersInUse, object: KubernetesObject): void {
    this.#problems.delete(object);
    const { object: decoded, error } = decode(this.#schemas, object);
    if (decoded === undefined || error !== undefined) {
      this.#problems.set(object, decodeProblem(object, error));
      return;
    }
    const parameter = kind && parameterInVersion(this.#schemas, decoded, kind);
    if (parameter !== undefined) parameters?.put(parameter);
  }
}
