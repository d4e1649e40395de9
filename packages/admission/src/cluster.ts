import {
  type Authorizer,
  apiVersionOf,
  type BindingSpec,
  compareText,
  defaultBinding,
  defaultPolicy,
  type FieldError,
  fieldErrorText,
  type GroupVersionKind,
  invalidStatus,
  isPolicyKind,
  type KubernetesObject,
  type MutatingPolicy,
  member,
  metadataText,
  newestMinor,
  type ParamKind,
  PolicyCompilers,
  type PolicyKind,
  type PolicyObject,
  parseApiVersion,
  parseVersion,
  policyGroup,
  type ValidatingPolicy,
  validateMutatingBinding,
  validateMutatingPolicy,
  validateValidatingBinding,
  validateValidatingPolicy,
} from '@kubeadmit/engine';
import type { ParameterStore } from '@kubeadmit/matcher';
import {
  decode,
  findResourceOfKind,
  isDefinition,
  loadSchemas,
  type Schemas,
  structOf,
  withDefinitions,
} from '@kubeadmit/schemas';
import { jsonTypeOf, unregisteredKind } from './decode-errors.ts';
import { makePolicySet, type PolicySet } from './policy-set.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

/** What kube-apiserver would answer to the creation of a resource that it refuses. */
export interface ResourceProblem {
  /** `Kind/name`. */
  readonly resource: string;
  readonly message: string;
  /** The texts of the field errors; absent when the object could not be decoded. */
  readonly fields?: readonly string[];
}

/** What a cluster is made of. */
export interface ClusterOptions {
  /**
   * Any objects: policies and bindings of any version, CustomResourceDefinitions, namespaces,
   * parameters, Roles and their bindings.
   */
  readonly resources: readonly KubernetesObject[];
  /** What is known about built-in kinds. */
  readonly schemas: Schemas;
  /** The server's version, which decides what new expressions may use; default the newest. */
  readonly kubernetesVersion?: string | undefined;
  /** Answers the authorization checks of policies; default the Roles among the resources. */
  readonly authorizer?: Authorizer | undefined;
}

/** What kube-apiserver would know: kinds, namespaces, parameters, permissions and policies. */
export interface Cluster {
  readonly schemas: Schemas;
  /** The resources that kube-apiserver would refuse; they have no effect. */
  readonly errors: readonly ResourceProblem[];
  readonly policies: PolicySet;
  readonly namespaces: ReadonlyMap<string, KubernetesObject>;
  readonly authorizer: Authorizer;
  readonly validatingPolicies: readonly ValidatingPolicy[];
  readonly mutatingPolicies: readonly MutatingPolicy[];
}

/** Loads what is known about kinds and makes a cluster; see {@link loadCluster}. */
export async function prepareCluster(options: Omit<ClusterOptions, 'schemas'>): Promise<Cluster> {
  return loadCluster({ ...options, schemas: await loadSchemas() });
}

/**
 * Makes a cluster of resources: policies are validated as at their creation, and those that are valid
 * are made ready for requests.
 */
export function loadCluster(options: ClusterOptions): Cluster {
  return new ClusterLoader(options).load(options.resources);
}

class ClusterLoader {
  private schemas: Schemas;
  private readonly compilers: PolicyCompilers;
  private readonly authorizer: Authorizer | undefined;
  private readonly errors: ResourceProblem[] = [];
  private readonly objects: Map<string, KubernetesObject[]> = new Map();
  private readonly namespaces: Map<string, KubernetesObject> = new Map();
  private readonly permissions: KubernetesObject[] = [];
  private readonly policies: Readonly<Record<PolicyKind, PolicyObject<unknown>[]>> = {
    ValidatingAdmissionPolicy: [],
    ValidatingAdmissionPolicyBinding: [],
    MutatingAdmissionPolicy: [],
    MutatingAdmissionPolicyBinding: [],
  };

  constructor({ schemas, kubernetesVersion, authorizer }: ClusterOptions) {
    this.schemas = schemas;
    this.authorizer = authorizer;
    this.compilers = new PolicyCompilers(
      kubernetesVersion === undefined ? newestMinor : parseVersion(kubernetesVersion),
    );
  }

  load(resources: readonly KubernetesObject[]): Cluster {
    const definitions = resources.filter(isDefinition);
    if (definitions.length > 0) this.schemas = withDefinitions(this.schemas, definitions);
    for (const resource of resources) {
      if (!isDefinition(resource)) this.add(resource);
      else this.checkDefinition(resource);
    }
    for (const objects of this.objects.values()) objects.sort(byNamespaceAndName);
    const { policies } = this;
    const validatingPolicies = policies.ValidatingAdmissionPolicy as ValidatingPolicy[];
    const mutatingPolicies = policies.MutatingAdmissionPolicy as MutatingPolicy[];
    return {
      schemas: this.schemas,
      errors: this.errors,
      policies: makePolicySet(
        {
          validating: validatingPolicies,
          validatingBindings:
            policies.ValidatingAdmissionPolicyBinding as PolicyObject<BindingSpec>[],
          mutating: mutatingPolicies,
          mutatingBindings: policies.MutatingAdmissionPolicyBinding as PolicyObject<BindingSpec>[],
        },
        { compilers: this.compilers, parametersOf: (kind) => this.parametersOf(kind) },
      ),
      namespaces: this.namespaces,
      authorizer: this.authorizer ?? new RbacAuthorizer(this.permissions),
      validatingPolicies,
      mutatingPolicies,
    };
  }

  private add(resource: KubernetesObject): void {
    const kind = kindOf(resource);
    const isPolicy = kind.group === policyGroup && isPolicyKind(kind.kind);
    const { object, error, known } =
      isPolicy && structOf(this.schemas, kind) === undefined
        ? { object: undefined, error: unregisteredKind(kind), known: false }
        : decode(this.schemas, resource);
    if (object === undefined || error !== undefined) {
      const text = error ?? '';
      const message =
        isPolicy && known
          ? `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${text}`
          : text;
      this.errors.push({ resource: `${kind.kind}/${metadataText(resource, 'name')}`, message });
      return;
    }
    if (isPolicy) this.addPolicy(kind.kind as PolicyKind, withDefaults(object, kind));
    else this.addObject(kind, object);
  }

  // What is no definition defines nothing, and nothing else would tell.
  private checkDefinition(resource: KubernetesObject): void {
    const type = jsonTypeOf(member(resource, 'spec') ?? {});
    if (type === 'object') return;
    const name = `CustomResourceDefinition/${metadataText(resource, 'name')}`;
    const message = `json: cannot unmarshal ${type} into Go struct field CustomResourceDefinition.spec of type v1.CustomResourceDefinitionSpec`;
    this.errors.push({ resource: name, message });
  }

  private addPolicy(kind: PolicyKind, object: KubernetesObject): void {
    const errors = this.validate(kind, object);
    if (errors.length === 0) {
      this.policies[kind].push(object as PolicyObject<unknown>);
      return;
    }
    const name = metadataText(object, 'name');
    const status = invalidStatus({ group: policyGroup, name: kind }, name, errors);
    this.errors.push({
      resource: `${kind}/${name}`,
      message: status.message ?? '',
      fields: errors.map(fieldErrorText),
    });
  }

  private validate(kind: PolicyKind, object: KubernetesObject): FieldError[] {
    const checkers = this.compilers;
    switch (kind) {
      case 'ValidatingAdmissionPolicy':
        return validateValidatingPolicy(object as ValidatingPolicy, { checkers });
      case 'MutatingAdmissionPolicy':
        return validateMutatingPolicy(object as MutatingPolicy, { checkers });
      case 'ValidatingAdmissionPolicyBinding':
        return validateValidatingBinding(object as PolicyObject<BindingSpec>);
      case 'MutatingAdmissionPolicyBinding':
        return validateMutatingBinding(object as PolicyObject<BindingSpec>);
    }
  }

  private addObject(kind: GroupVersionKind, object: KubernetesObject): void {
    if (kind.group === '' && kind.kind === 'Namespace') {
      this.namespaces.set(metadataText(object, 'name'), object);
    }
    if (kind.group === 'rbac.authorization.k8s.io') this.permissions.push(object);
    const key = groupKindKey(kind);
    const known = this.objects.get(key);
    if (known === undefined) this.objects.set(key, [object]);
    else known.push(object);
  }

  private parametersOf({ apiVersion = '', kind = '' }: ParamKind): ParameterStore | undefined {
    const wanted = { ...parseApiVersion(apiVersion), kind };
    const resource = findResourceOfKind(this.schemas, wanted);
    if (resource === undefined) return undefined;
    const objects: KubernetesObject[] = [];
    for (const object of this.objects.get(groupKindKey(wanted)) ?? []) {
      if (member(object, 'apiVersion') === apiVersion) {
        objects.push(object);
        continue;
      }
      const { object: converted } = decode(this.schemas, { ...object, apiVersion });
      if (converted !== undefined) objects.push(converted);
    }
    return { namespaced: resource.namespaced, objects };
  }
}

// INVARIANT: what has its defaults already stays equal.
function withDefaults(
  object: KubernetesObject,
  { version, kind }: GroupVersionKind,
): KubernetesObject {
  return kind.endsWith('Binding')
    ? (defaultBinding(object, version) as KubernetesObject)
    : (defaultPolicy(object) as KubernetesObject);
}

function kindOf(object: KubernetesObject): GroupVersionKind {
  const apiVersion = member(object, 'apiVersion');
  const kind = member(object, 'kind');
  return {
    ...parseApiVersion(typeof apiVersion === 'string' ? apiVersion : ''),
    kind: typeof kind === 'string' ? kind : '',
  };
}

function groupKindKey({ group, kind }: GroupVersionKind): string {
  return apiVersionOf({ group, version: kind });
}

function byNamespaceAndName(a: KubernetesObject, b: KubernetesObject): number {
  const key = (object: KubernetesObject): string =>
    `${metadataText(object, 'namespace')}/${metadataText(object, 'name')}`;
  return compareText(key(a), key(b));
}
