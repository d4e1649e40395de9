import { formatGroupVersion, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { groupVersionKindOf } from '@kubeadmit/apimachinery/internal';
import { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import { storeCustomResource } from '@kubeadmit/custom-resources';
import {
  type Authorizer,
  type MutatingPolicy,
  parseVersion,
  type ValidatingPolicy,
} from '@kubeadmit/engine';
import {
  handsOnStructs,
  nameOf,
  type ParamKind,
  type PolicyBinding,
  type PolicyKind,
} from '@kubeadmit/engine/internal';
import { deepEqual } from '@kubeadmit/go/internal';
import { ChangingParameters } from '@kubeadmit/matcher';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/internal';
import { ChangingPolicySet } from './changing-policy-set.ts';
import type { Cluster } from './cluster.ts';
import { kindOf } from './convert-object.ts';
import {
  decodeProblem,
  LoadedPolicies,
  type ReadResource,
  type ResourceProblem,
} from './loaded-policies.ts';
import { parameterKind } from './parameter-kind.ts';
import { readPolicy } from './read-policy.ts';

/** What stands around the policies of a cluster that changes. */
export interface ChangingClusterOptions {
  /** All kinds that are known at first; see {@link ChangingCluster.useSchemas}. */
  readonly schemas: Schemas;
  readonly kubernetesVersion: string;
  /** The namespaces by their names, as they are at any time; see {@link ChangingCluster.reconsider}. */
  readonly namespaces: ReadonlyMap<string, KubernetesObject>;
  /** Answers the authorization checks of policies; asked for each time. */
  readonly authorizer: () => Authorizer;
}

/** A kind of parameters that policies name, and those policies. */
interface ParametersInUse {
  readonly paramKind: ParamKind;
  readonly users: Set<KubernetesObject>;
  /** What the objects are read by: the kind, and the definition of it. */
  source: unknown;
  /** The group and kind of the objects. */
  key: string;
  parameters: ChangingParameters | undefined;
}

/**
 * A cluster whose policies, bindings and parameters come and go one by one. A change costs what it is about, however
 * many others there are, and that the policies of requests that it may concern are found anew; what is asked then is answered as by a cluster that was loaded with all that is there now. A
 * request that is on its way sees the changes, as it does in kube-apiserver.
 *
 * INVARIANT: nobody changes an object that it was given, and no two objects of a kind have one name at the same time.
 */
export class ChangingCluster implements Cluster {
  readonly namespaces: ReadonlyMap<string, KubernetesObject>;
  readonly handsOnStructs: boolean;
  readonly storeCustomResource: typeof storeCustomResource = storeCustomResource;
  readonly loaded: LoadedPolicies;
  readonly policies: ChangingPolicySet;
  readonly notes: readonly never[] = [];
  readonly #authorizer: () => Authorizer;
  readonly #read: Map<KubernetesObject, ReadResource> = new Map();
  readonly #problems: Map<KubernetesObject, ResourceProblem> = new Map();
  readonly #inUse: Map<string, ParametersInUse> = new Map();
  /** The objects of each kind that can be parameters, by group and kind. */
  readonly #objects: Map<string, Set<KubernetesObject>> = new Map();
  /** What the server reads from its own disk. */
  #ofDisk: readonly KubernetesObject[] = [];
  #staticPolicies: ChangingPolicySet | undefined;
  #schemas: Schemas;

  constructor({ schemas, kubernetesVersion, namespaces, authorizer }: ChangingClusterOptions) {
    const minor = parseVersion(kubernetesVersion);
    this.#schemas = schemas;
    this.namespaces = namespaces;
    this.#authorizer = authorizer;
    this.handsOnStructs = handsOnStructs(minor);
    this.loaded = new LoadedPolicies({ schemas, minor, code: minor }, undefined);
    this.loaded.compilers.describeSyntaxErrors = describeSyntaxErrors;
    this.policies = new ChangingPolicySet({
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

  /** Replaces a policy or binding: the first is what was given before, `undefined` on either side stands for none. */
  changePolicy(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void {
    // In this order, so that parameters that both have need not be read anew.
    if (after !== undefined) this.#addPolicy(after);
    if (before !== undefined) this.#removePolicy(before);
  }

  /** Replaces an object that policies may have as their parameter; see {@link changePolicy}. */
  changeParameter(before: KubernetesObject | undefined, after: KubernetesObject | undefined): void {
    const object = after ?? before;
    if (object === undefined) return;
    const key = groupKindKey(object);
    const objects = this.#objects.get(key) ?? new Set();
    this.#objects.set(key, objects);
    if (before !== undefined) {
      objects.delete(before);
      this.#problems.delete(before);
    }
    if (after !== undefined) objects.add(after);
    else if (objects.size === 0) this.#objects.delete(key);
    for (const inUse of this.#inUse.values()) {
      if (inUse.key !== key || inUse.parameters === undefined) continue;
      if (before !== undefined) inUse.parameters.remove(before);
      if (after !== undefined) this.#putParameter(inUse, after);
    }
  }

  /** Takes other schemas: parameters of kinds that are defined otherwise now are read anew. */
  useSchemas(schemas: Schemas): void {
    this.#schemas = schemas;
    for (const inUse of this.#inUse.values()) this.#provide(inUse);
    this.reconsider();
  }

  /** Takes note that labels of namespaces are others than before. */
  reconsider(): void {
    this.policies.reconsider();
    this.#staticPolicies?.reconsider();
  }

  /** The policies that the server reads from its own disk; absent where it reads none. */
  get staticPolicies(): ChangingPolicySet | undefined {
    return this.#staticPolicies;
  }

  /**
   * Replaces all that the server reads from its own disk (`readStaticManifests`): policies and bindings that it takes,
   * none of which has parameters.
   */
  useStaticPolicies(objects: readonly KubernetesObject[]): void {
    const { shared } = this.loaded;
    const policies = new ChangingPolicySet({ shared, parametersOf: () => undefined });
    for (const object of objects) {
      const kind = object['kind'] as PolicyKind;
      const bound = boundOf(policies, kind);
      if (kind.endsWith('Binding')) bound.addBinding(object as PolicyBinding);
      else bound.addPolicy(object as never);
    }
    this.#ofDisk = objects;
    this.#staticPolicies = objects.length === 0 ? undefined : policies;
  }

  #policiesOf(kind: PolicyKind): readonly KubernetesObject[] {
    const stored = [...this.#read.values()].flatMap(({ kind: own, loaded }) =>
      own === kind && loaded.problem === undefined ? [loaded.policy] : [],
    );
    return [...this.#ofDisk.filter((object) => object['kind'] === kind), ...stored];
  }

  #addPolicy(resource: KubernetesObject): void {
    const kind = kindOf(resource).kind as PolicyKind;
    const loaded = readPolicy(this.#schemas, resource, this.loaded.compilers);
    this.#read.set(resource, { kind, loaded });
    if (loaded.problem !== undefined) {
      this.#problems.set(resource, loaded.problem);
      return;
    }
    const { policy } = loaded;
    const bound = boundOf(this.policies, kind);
    if (kind.endsWith('Binding')) {
      bound.addBinding(policy as PolicyBinding);
      return;
    }
    const paramKind = paramKindOf(policy);
    if (paramKind !== undefined) this.#use(paramKind, policy);
    bound.addPolicy(policy as never);
  }

  #removePolicy(resource: KubernetesObject): void {
    const read = this.#read.get(resource);
    if (read === undefined) return;
    this.#read.delete(resource);
    this.#problems.delete(resource);
    if (read.loaded.problem !== undefined) return;
    const { policy } = read.loaded;
    const bound = boundOf(this.policies, read.kind);
    if (read.kind.endsWith('Binding')) {
      bound.removeBinding(policy as PolicyBinding);
      return;
    }
    bound.removePolicy(policy as never);
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
      key: groupKindKey(paramKind),
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
    inUse.parameters = known && new ChangingParameters(known.namespaced, known.isWatched);
    inUse.key = groupKindKey({ ...inUse.paramKind, ...(known && { kind: known.kind.kind }) });
    for (const object of this.#objects.get(inUse.key) ?? []) {
      this.#putParameter(inUse, object);
    }
    for (const user of inUse.users)
      boundOf(this.policies, kindOf(user).kind as PolicyKind).refresh(nameOf(user));
  }

  #putParameter({ paramKind, parameters }: ParametersInUse, object: KubernetesObject): void {
    this.#problems.delete(object);
    const { object: decoded, error } = decode(this.#schemas, object);
    if (decoded === undefined || error !== undefined) {
      this.#problems.set(object, decodeProblem(object, error));
      return;
    }
    if (decoded['apiVersion'] === paramKind.apiVersion) {
      parameters?.put(decoded);
      return;
    }
    const { apiVersion } = paramKind;
    const { object: converted } = decode(this.#schemas, { ...decoded, apiVersion });
    if (converted !== undefined) parameters?.put(converted);
  }
}

function boundOf(
  policies: ChangingPolicySet,
  kind: PolicyKind,
): ChangingPolicySet['ofValidating'] | ChangingPolicySet['ofMutating'] {
  return kind.startsWith('Validating') ? policies.ofValidating : policies.ofMutating;
}

function paramKindOf(policy: KubernetesObject): ParamKind | undefined {
  return (member(member(policy, 'spec'), 'paramKind') ?? undefined) as ParamKind | undefined;
}

function paramKey({ apiVersion = '', kind = '' }: ParamKind): string {
  return `${apiVersion} ${kind}`;
}

function groupKindKey(named: { readonly apiVersion?: unknown; readonly kind?: unknown }): string {
  const { group, kind } = groupVersionKindOf(String(named.apiVersion), String(named.kind));
  return formatGroupVersion({ group, version: kind });
}
