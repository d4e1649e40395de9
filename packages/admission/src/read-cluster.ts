import {
  type GroupVersionKind,
  type KubernetesObject,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import { copyJson } from '@kubeadmit/apimachinery/unstable-internal';
import { getOrMake } from '@kubeadmit/base';
import type { storeCustomResource } from '@kubeadmit/custom-resources';
import {
  type Authorizer,
  isPolicyKind,
  newestMinor,
  type ParamKind,
  type PolicyKind,
  parseVersion,
  policyGroup,
} from '@kubeadmit/engine';
import { handsOnStructs } from '@kubeadmit/engine/unstable-internal';
import { compareText, jsonTypeOf } from '@kubeadmit/go';
import { NestingError, withinStack } from '@kubeadmit/go/unstable-internal';
import { ParameterStore } from '@kubeadmit/matcher';
import { decode, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import { isDefinition } from '@kubeadmit/schemas/definitions';
import type { Cluster, ClusterOptions, ClusterPlugins } from './cluster.ts';
import { clusterNotes } from './cluster-notes.ts';
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
import { assumedObject } from './plugins/assumed-objects.ts';
import { ObjectCluster } from './plugins/object-cluster.ts';
import { addTo, makePolicySet, type PolicySet } from './policy-set.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { readPolicy } from './read-policy.ts';

/**
 * Loads a cluster of resources.
 *
 * @param store validates and stores custom resources; not necessary for clusters without definitions
 * @throws RefusedResourcesError see {@link ClusterOptions.onErrors}.
 */
export function readCluster(
  options: ClusterOptions,
  store: typeof storeCustomResource | undefined,
): Cluster {
  const cluster = new ClusterLoader(options, store).load();
  if (cluster.errors.length > 0 && options.onErrors !== 'report')
    throw new RefusedResourcesError(cluster.errors);
  return cluster;
}

class ClusterLoader {
  #schemas: Schemas;
  readonly #options: ClusterOptions;
  readonly #store: typeof storeCustomResource | undefined;
  readonly #loaded: LoadedPolicies;
  readonly #minor: number;
  /** The version of the server whose code runs. */
  readonly #code: number;
  readonly #errors: ResourceProblem[] = [];
  readonly #objects: Map<string, KubernetesObject[]> = new Map();
  readonly #namespaces: Map<string, KubernetesObject> = new Map();
  readonly #permissions: KubernetesObject[] = [];
  /** Valid policies and bindings in the form of v1. */
  readonly #policies: KubernetesObject[] = [];

  constructor(options: ClusterOptions, store: typeof storeCustomResource | undefined) {
    const { schemas, kubernetesVersion, previous, observe } = options;
    this.#schemas = schemas;
    this.#options = options;
    this.#store = store;
    const minor = kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion);
    this.#minor = minor;
    this.#code = options.emulated === true ? newestMinor : minor;
    const reading = { schemas, minor, code: this.#code, observe };
    this.#loaded = new LoadedPolicies(reading, previous?.loaded);
  }

  load(): Cluster {
    const { resources, staticPolicies, authorizer, takesNotes, checkDefinitions } = this.#options;
    const definitions = resources.filter(isDefinition);
    if (definitions.length > 0) this.#schemas = withDefinitions(this.#schemas, definitions);
    this.#errors.push(...(staticPolicies?.errors ?? []));
    for (const resource of resources) {
      const known = this.#options.areImmutable ? this.#loaded.shared.read.get(resource) : undefined;
      if (known !== undefined) this.#addPolicy(known);
      else if (!isDefinition(resource)) this.#add(resource);
      else this.#checkDefinition(resource);
    }
    this.#loaded.finish();
    const policies = this.#policies;
    const ofDisk = staticPolicies?.objects;
    const ofKind = (kind: PolicyKind): never[] =>
      [...(ofDisk ?? []), ...policies].filter((object) => object['kind'] === kind) as never[];
    const allowed = authorizer ?? new RbacAuthorizer(this.#permissions);
    return {
      schemas: this.#schemas,
      errors: this.#errors,
      notes: takesNotes === false ? [] : clusterNotes(resources, policies),
      policies: this.#policySet(policies),
      staticPolicies: ofDisk && this.#policySet(ofDisk),
      namespaces: this.#namespaces,
      authorizer: allowed,
      plugins: this.#plugins(allowed),
      handsOnStructs: handsOnStructs(this.#code),
      storeCustomResource: checkDefinitions === false ? undefined : this.#store,
      validatingPolicies: ofKind('ValidatingAdmissionPolicy'),
      mutatingPolicies: ofKind('MutatingAdmissionPolicy'),
      loaded: this.#loaded,
    };
  }

  #plugins(authorizer: Authorizer): ClusterPlugins | undefined {
    const { plugins, now } = this.#options;
    if (plugins === undefined) return undefined;
    const time = now === undefined ? 0 : Date.parse(now);
    const cluster = new ObjectCluster({
      schemas: this.#schemas,
      minor: this.#minor,
      authorizer,
      now: () => time,
      assume: assumedObject,
    });
    // Completing an object may take any other into account.
    const reads = plugins.completing.size === 0 ? plugins.reads : undefined;
    for (const objects of this.#objects.values()) {
      for (const object of objects) cluster.add(object, reads);
    }
    for (const [resource, complete] of plugins.completing) {
      for (const object of cluster.list(resource)) cluster.put(resource, complete(object, cluster));
    }
    return { set: plugins, cluster };
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
      const { areImmutable } = this.#options;
      const loaded = this.#loaded.load(resource, () => {
        const kept = areImmutable ? resource : copyJson(resource);
        return { resource: kept, loaded: readPolicy(this.#schemas, kept, this.#loaded.compilers) };
      });
      if (areImmutable) this.#loaded.shared.read.set(resource, loaded);
      this.#addPolicy(loaded);
      return;
    }
    const { object, error } = decode(this.#schemas, resource, { now: this.#options.now });
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

  // An invalid definition defines nothing, and no other check would report it.
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
    if (this.#options.unreadableKinds?.includes(paramKey(paramKind))) return undefined;
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

/** Resources that kube-apiserver would refuse, so that policies which are meant to act could not. */
export class RefusedResourcesError extends Error {
  override readonly name: string = 'RefusedResourcesError';
  /** The server's answer to the creation of each resource. */
  readonly errors: readonly ResourceProblem[];

  constructor(errors: readonly ResourceProblem[]) {
    const lines = errors.map(({ resource, message }) => `${resource}: ${message}`);
    const what = errors.length === 1 ? '1 resource' : `${errors.length} resources`;
    const help = "(`onErrors: 'report'` skips them and lists them in `errors`)";
    super(`kube-apiserver would refuse ${what} ${help}:\n${lines.join('\n')}`);
    this.errors = errors;
  }
}
