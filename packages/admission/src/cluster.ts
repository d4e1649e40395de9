import {
  type GroupVersionKind,
  type KubernetesObject,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import { copyJson } from '@kubeadmit/apimachinery/internal';
import type { describeSyntaxErrors } from '@kubeadmit/cel/syntax-errors';
import type { storeCustomResource } from '@kubeadmit/custom-resources';
import {
  type Authorizer,
  type MutatingPolicy,
  parseVersion,
  type ValidatingPolicy,
} from '@kubeadmit/engine';
import type { ObserveEvaluation } from '@kubeadmit/engine/internal';
import {
  handsOnStructs,
  isPolicyKind,
  newestMinor,
  type ParamKind,
  type PolicyKind,
  policyGroup,
} from '@kubeadmit/engine/internal';
import {
  compareText,
  getOrMake,
  jsonTypeOf,
  NestingError,
  withinStack,
} from '@kubeadmit/go/internal';
import { ParameterStore } from '@kubeadmit/matcher';
import { decode, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import { isDefinition } from '@kubeadmit/schemas/internal';
import { clusterNotes, type ResourceNote } from './cluster-notes.ts';
import { kindOf } from './convert-object.ts';
import {
  decodeProblem,
  LoadedPolicies,
  type LoadedPolicy,
  type ResourceProblem,
} from './loaded-policies.ts';
import {
  groupKindKey,
  parameterInVersion,
  parameterKind,
  paramKey,
  paramKindOf,
} from './parameter-kind.ts';
import { addTo, makePolicySet, type PolicySet } from './policy-set.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { readPolicy } from './read-policy.ts';
import { RefusedResourcesError } from './refused-resources-error.ts';
import type { StaticPolicies } from './static-manifests.ts';

/** What a cluster is made of. */
export interface ClusterOptions {
  /**
   * Any objects: policies and bindings of any version, CustomResourceDefinitions, namespaces,
   * parameters, Roles and their bindings.
   */
  readonly resources: readonly KubernetesObject[];
  /** What the server reads from its own disk (`readStaticManifests`); default nothing. */
  readonly staticPolicies?: StaticPolicies | undefined;
  /** What is known about built-in kinds. */
  readonly schemas: Schemas;
  /** The server's version, which decides what new expressions may use; default the newest. */
  readonly kubernetesVersion?: string | undefined;
  /**
   * Whether the server is the newest one and told to behave as another (`--emulated-version`): then only what new
   * expressions may use follows the version, and what else its code did differently does not. Default false.
   */
  readonly emulated?: boolean | undefined;
  /**
   * The time as in `2026-01-02T03:04:05Z` at which the resources are made, for defaults of parameters that read the
   * clock; default the beginning of 1970.
   */
  readonly now?: string | undefined;
  /** Answers the authorization checks of policies; default the Roles among the resources. */
  readonly authorizer?: Authorizer | undefined;
  /**
   * A cluster that was loaded before: the policies and bindings that it has too, the same objects or equal
   * ones, are neither validated nor compiled again.
   */
  readonly previous?: Cluster | undefined;
  /**
   * Whether nobody changes the resources from now on: policies and bindings are then not copied, and those of the
   * previous cluster are recognised at once where they are the same objects. Default false.
   */
  readonly areImmutable?: boolean | undefined;
  /** Whether what has no effect is noted; default true. */
  readonly takesNotes?: boolean | undefined;
  /**
   * What happens when kube-apiserver would refuse one of the resources, so that a policy cannot act: `throw` a
   * RefusedResourcesError (the default), or `report` it in the cluster's `errors` and go on without it.
   */
  readonly onErrors?: 'throw' | 'report' | undefined;
  /**
   * Whether custom resources are held against their definitions between mutating and validating policies; default
   * true. A webhook leaves this to the server that asks it.
   */
  readonly checkDefinitions?: boolean | undefined;
  /**
   * Kinds of parameters (`APIVERSION KIND`) that cannot be read: policies that name them have an error of
   * configuration, about which their failure policy decides.
   */
  readonly unreadableKinds?: readonly string[] | undefined;
  /** Is told of every evaluation of an expression, with the values of the expressions within. */
  readonly observe?: ObserveEvaluation | undefined;
}

/** What kube-apiserver would know: kinds, namespaces, parameters, permissions and policies. */
export interface Cluster {
  /** The kinds that it knows, those of its definitions too. */
  readonly schemas: Schemas;
  /** The resources that kube-apiserver would refuse; they have no effect. */
  readonly errors: readonly ResourceProblem[];
  /** What kube-apiserver would take and what has no effect: bindings without their policy, for example. */
  readonly notes: readonly ResourceNote[];
  /** The policies that have bindings, ready for requests. */
  readonly policies: PolicySet;
  /** Those that the server reads from its own disk, which come first; absent where it reads none. */
  readonly staticPolicies?: PolicySet | undefined;
  /** Its namespaces, by name. */
  readonly namespaces: ReadonlyMap<string, KubernetesObject>;
  /** Answers the checks of `authorizer` in expressions. */
  readonly authorizer: Authorizer;
  /** Whether expressions see the Go structs of built-in kinds, as they do from 1.37 on, and not JSON. */
  readonly handsOnStructs: boolean;
  /**
   * Holds custom resources against their definitions; absent where there are no definitions, or it was not asked for
   * (see {@link ClusterOptions.checkDefinitions}).
   */
  readonly storeCustomResource: typeof storeCustomResource | undefined;
  /** Its ValidatingAdmissionPolicies, in the form of v1. */
  readonly validatingPolicies: readonly ValidatingPolicy[];
  /** Its MutatingAdmissionPolicies, in the form of v1. */
  readonly mutatingPolicies: readonly MutatingPolicy[];
  /** What the next cluster can take over; see {@link ClusterOptions.previous}. */
  readonly loaded: LoadedPolicies;
}

/** What only some clusters need. */
export interface ClusterTools {
  readonly storeCustomResource: typeof storeCustomResource | undefined;
  readonly describeSyntaxErrors?: typeof describeSyntaxErrors;
}

/** A cluster of resources, whatever is wrong with them. */
export function readCluster(options: ClusterOptions, tools: ClusterTools): Cluster {
  return new ClusterLoader(options, tools).load(options);
}

/** @throws RefusedResourcesError where there are errors and they are not to be reported. */
export function requireAccepted(
  cluster: Cluster,
  { onErrors }: Pick<ClusterOptions, 'onErrors'>,
): Cluster {
  if (cluster.errors.length > 0 && onErrors !== 'report')
    throw new RefusedResourcesError(cluster.errors);
  return cluster;
}

class ClusterLoader {
  #schemas: Schemas;
  readonly #loaded: LoadedPolicies;
  readonly #authorizer: Authorizer | undefined;
  readonly #storeCustomResource: ClusterTools['storeCustomResource'];
  readonly #keep: (resource: KubernetesObject) => KubernetesObject;
  readonly #areImmutable: boolean;
  readonly #takesNotes: boolean;
  readonly #unreadableKinds: ReadonlySet<string>;
  readonly #code: number;
  readonly #now: string | undefined;
  readonly #errors: ResourceProblem[] = [];
  readonly #objects: Map<string, KubernetesObject[]> = new Map();
  readonly #namespaces: Map<string, KubernetesObject> = new Map();
  readonly #permissions: KubernetesObject[] = [];
  /** Valid policies and bindings in the form of v1. */
  readonly #policies: KubernetesObject[] = [];

  constructor(options: ClusterOptions, tools: ClusterTools) {
    const { schemas, kubernetesVersion, authorizer, previous, observe } = options;
    this.#schemas = schemas;
    this.#authorizer = authorizer;
    this.#now = options.now;
    this.#areImmutable = options.areImmutable === true;
    this.#takesNotes = options.takesNotes !== false;
    this.#keep = this.#areImmutable ? (resource) => resource : copyJson;
    this.#storeCustomResource =
      options.checkDefinitions === false ? undefined : tools.storeCustomResource;
    this.#unreadableKinds = new Set(options.unreadableKinds);
    const minor = kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion);
    this.#code = options.emulated === true ? newestMinor : minor;
    const reading = { schemas, minor, code: this.#code, observe };
    this.#loaded = new LoadedPolicies(reading, previous?.loaded);
    this.#loaded.compilers.describeSyntaxErrors ??= tools.describeSyntaxErrors;
  }

  load({ resources, staticPolicies }: ClusterOptions): Cluster {
    const definitions = resources.filter(isDefinition);
    if (definitions.length > 0) this.#schemas = withDefinitions(this.#schemas, definitions);
    this.#errors.push(...(staticPolicies?.errors ?? []));
    for (const resource of resources) {
      const known = this.#areImmutable ? this.#loaded.shared.read.get(resource) : undefined;
      if (known !== undefined) this.#addPolicy(known);
      else if (!isDefinition(resource)) this.#add(resource);
      else this.#checkDefinition(resource);
    }
    this.#loaded.finish();
    const policies = this.#policies;
    const ofDisk = staticPolicies?.objects;
    const ofKind = (kind: PolicyKind): never[] =>
      [...(ofDisk ?? []), ...policies].filter((object) => object['kind'] === kind) as never[];
    return {
      schemas: this.#schemas,
      errors: this.#errors,
      notes: this.#takesNotes ? clusterNotes(resources, policies) : [],
      policies: this.#policySet(policies),
      staticPolicies: ofDisk && this.#policySet(ofDisk),
      namespaces: this.#namespaces,
      authorizer: this.#authorizer ?? new RbacAuthorizer(this.#permissions),
      handsOnStructs: handsOnStructs(this.#code),
      storeCustomResource: this.#storeCustomResource,
      validatingPolicies: ofKind('ValidatingAdmissionPolicy'),
      mutatingPolicies: ofKind('MutatingAdmissionPolicy'),
      loaded: this.#loaded,
    };
  }

  #policySet(policies: readonly KubernetesObject[]): PolicySet {
    const stores = new Map<string, ParameterStore | undefined>();
    const set = makePolicySet({
      shared: this.#loaded.shared,
      parametersOf: (kind) => stores.get(paramKey(kind)),
    });
    for (const object of policies) {
      const paramKind = paramKindOf(object);
      if (paramKind !== undefined && !stores.has(paramKey(paramKind)))
        stores.set(paramKey(paramKind), this.#makeStore(paramKind));
      addTo(set, object);
    }
    set.validating.makeReady();
    set.mutating.makeReady();
    return set;
  }

  #add(resource: KubernetesObject): void {
    try {
      withinStack(() => this.#addResource(resource));
    } catch (failure) {
      if (!(failure instanceof NestingError)) throw failure;
      this.#errors.push(decodeProblem(resource, failure.message));
    }
  }

  #addResource(resource: KubernetesObject): void {
    const kind = kindOf(resource);
    if (kind.group === policyGroup && isPolicyKind(kind.kind)) {
      const loaded = this.#loaded.load(resource, () => {
        const kept = this.#keep(resource);
        return { resource: kept, loaded: this.#readPolicy(kept) };
      });
      if (this.#areImmutable) this.#loaded.shared.read.set(resource, loaded);
      this.#addPolicy(loaded);
      return;
    }
    const { object, error } = decode(this.#schemas, resource, { now: this.#now });
    if (object !== undefined && error === undefined) {
      this.#addObject(kind, object);
      return;
    }
    this.#errors.push(decodeProblem(resource, error));
  }

  #addPolicy(loaded: LoadedPolicy): void {
    if (loaded.problem !== undefined) this.#errors.push(loaded.problem);
    else this.#policies.push(loaded.policy);
  }

  #readPolicy(resource: KubernetesObject): LoadedPolicy {
    return readPolicy(this.#schemas, resource, this.#loaded.compilers);
  }

  // What is no definition defines nothing, and nothing else would tell.
  #checkDefinition(resource: KubernetesObject): void {
    const type = jsonTypeOf(member(resource, 'spec') ?? {});
    if (type === 'object') return;
    const name = `CustomResourceDefinition/${metadataString(resource, 'name')}`;
    const message = `json: cannot unmarshal ${type} into Go struct field CustomResourceDefinition.spec of type v1.CustomResourceDefinitionSpec`;
    this.#errors.push({ resource: name, message });
  }

  #addObject(kind: GroupVersionKind, object: KubernetesObject): void {
    if (kind.group === '' && kind.kind === 'Namespace') {
      this.#namespaces.set(metadataString(object, 'name'), object);
    }
    if (kind.group === 'rbac.authorization.k8s.io') this.#permissions.push(object);
    getOrMake(this.#objects, groupKindKey(kind), () => []).push(object);
  }

  #makeStore(paramKind: ParamKind): ParameterStore | undefined {
    if (this.#unreadableKinds.has(paramKey(paramKind))) return undefined;
    const known = parameterKind(this.#schemas, paramKind);
    if (known === undefined) return undefined;
    const store = new ParameterStore(known.namespaced, known.isWatched);
    const objects = this.#objects.get(groupKindKey(known.kind)) ?? [];
    // In order, since each is then put behind the others; of several of one name the first counts.
    for (const object of objects.toReversed().sort(byNamespaceAndName)) {
      const parameter = parameterInVersion(this.#schemas, object, known.kind);
      if (parameter !== undefined) store.put(parameter);
    }
    return store;
  }
}

function byNamespaceAndName(a: KubernetesObject, b: KubernetesObject): number {
  const key = (object: KubernetesObject): string =>
    `${metadataString(object, 'namespace')}/${metadataString(object, 'name')}`;
  return compareText(key(a), key(b));
}
