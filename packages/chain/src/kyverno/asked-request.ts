import {
  type JsonObject,
  type KubernetesObject,
  kindOfObject,
  labelsOf,
  member,
  memberObject,
  memberText,
  metadataString,
  stringMapOf,
  textOf,
} from '@kubeadmit/apimachinery';
import { timeOn } from '@kubeadmit/base';
import type { AdmissionRequest } from '@kubeadmit/engine';
import type { CelRequest, CelSources, ContextSources, GivenUser, Policy } from '@kubeadmit/kyverno';
import type { RuleTracer } from '@kubeadmit/kyverno/traces';
import { findResource, type Schemas } from '@kubeadmit/schemas';
import { jsonOf } from '../readers/json.ts';
import type { KyvernoExceptions } from '../readers/policies.ts';
import { requestFields } from '../requests/request-parts.ts';
import type { PolicyGivens, RequestFacts } from './classic.ts';
import { identityOf, type ObjectIdentity, sameIdentity } from './identity.ts';
import type { OutsideData } from './outside-data.ts';
import { UserRoles } from './user-roles.ts';

/** The request of ClusterPolicies and Policies. */
export interface ClassicRequest {
  readonly object: JsonObject;
  readonly facts: RequestFacts;
  readonly givens: (policy: Policy) => PolicyGivens;
  readonly oldObject: JsonObject | undefined;
}

/** The surroundings of a request. */
export interface RequestSurroundings {
  /** The objects that the cluster holds, namespaces and RBAC among them. */
  readonly objects: readonly JsonObject[];
  /** The data sources of rules in the cluster and outside. */
  readonly sources: ContextSources & CelSources;
  readonly exceptions: KyvernoExceptions;
  readonly schemas: Schemas;
  /** Data that policies are given in the place of a cluster and of services. */
  readonly outside?: OutsideData | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/** Converts AdmissionRequests to the requests of Kyverno's policies, with the cluster's facts about them. */
export class RequestReader {
  readonly #surroundings: RequestSurroundings;
  readonly #roles: UserRoles;
  readonly #namespaces: Map<string, JsonObject>;

  /** @param known a reader of the same objects, whose namespaces it shares */
  constructor(surroundings: RequestSurroundings, known?: RequestReader) {
    this.#surroundings = surroundings;
    if (known !== undefined) {
      this.#roles = known.#roles;
      this.#namespaces = known.#namespaces;
      return;
    }
    this.#roles = new UserRoles(surroundings.objects);
    this.#namespaces = new Map(
      surroundings.objects.filter(isNamespace).map((object) => {
        const name = metadataString(object, 'name');
        return [name, labelled(name, object)] as const;
      }),
    );
  }

  /** The same with other data sources. */
  withSources(sources: ContextSources & CelSources): RequestReader {
    return new RequestReader({ ...this.#surroundings, sources }, this);
  }

  /** The data sources of rules and expressions. */
  get sources(): ContextSources & CelSources {
    return this.#surroundings.sources;
  }

  /** The namespaces of the cluster, by name. */
  get namespaces(): ReadonlyMap<string, JsonObject> {
    return this.#namespaces;
  }

  /** The object of the cluster with an identity. */
  findObject(identity: ObjectIdentity): JsonObject | undefined {
    const objects = this.#surroundings.sources.clones?.('') ?? [];
    return objects.find((object) => sameIdentity(identityOf(object), identity));
  }

  /** Replaces a namespace of the cluster, or removes it. */
  setNamespace(name: string, namespace: JsonObject | undefined): void {
    if (namespace === undefined) this.#namespaces.delete(name);
    else this.#namespaces.set(name, labelled(name, namespace));
  }

  /** Creates the request for ClusterPolicies and Policies; a deletion has the old object. */
  classic(
    request: AdmissionRequest,
    given: JsonObject,
    trace: RuleTracer | undefined,
  ): ClassicRequest {
    const { exceptions, clock } = this.#surroundings;
    const old = objectField(request, 'oldObject');
    const operation = textOf(request.operation);
    const namespace = this.#namespaceOf(request);
    const facts: RequestFacts = {
      kind: this.#kindOf(request),
      subresource: textOf(request.subResource),
      user: this.#userOf(request),
      namespaceLabels: labelsOf(namespace),
      namespace,
      exceptions: exceptions.classic,
      isCluster: true,
      now: timeOn(clock),
      trace,
      webhook: attributesOf(request, given),
    };
    const object = operation === 'DELETE' ? (old ?? given) : given;
    const variables = requestVariables(request);
    const name = metadataString(object, 'name');
    const givens = (policy: Policy): PolicyGivens => ({
      operation,
      ...this.#givensOf(policy, name, variables),
    });
    return { object, facts, givens, oldObject: old };
  }

  /** Creates the request for CEL policies, with an object that replaces that of the request. */
  cel(
    request: AdmissionRequest,
    object: JsonObject | null,
    trace: RuleTracer | undefined,
  ): CelRequest {
    return {
      attributes: attributesOf(request, object),
      namespaceObject: this.#namespaceOf(request),
      sources: this.#surroundings.sources,
      trace,
    };
  }

  /** Returns the data for a policy: the variables of the request, and external ones. */
  #givensOf(
    { name: policy }: Policy,
    object: string,
    variables: ReadonlyMap<string, unknown>,
  ): Pick<PolicyGivens, 'sources' | 'variables'> {
    const { outside, sources } = this.#surroundings;
    if (outside === undefined) return { sources, variables };
    return {
      sources: {
        ...sources,
        isGiven: (entry) => outside.givesEntry(policy, entry),
        valuesOf: (rule) => outside.ruleValues(policy, rule),
      },
      variables: new Map([...variables, ...outside.variablesOf(policy, object)]),
    };
  }

  // Rules name subresources by the kind of their resource, such as `Pod/exec` (`WithTopLevelGVK`).
  #kindOf({ kind, resource, subResource = '' }: AdmissionRequest): RequestFacts['kind'] {
    const own = partsOf(kind, ['group', 'version', 'kind']);
    if (subResource === '') return own;
    const parts = partsOf(resource, ['group', 'version', 'resource']);
    const found = findResource(this.#surroundings.schemas, parts);
    return found === undefined ? own : { ...parts, kind: found.kind };
  }

  #userOf(request: AdmissionRequest): GivenUser {
    const userInfo = objectField(request, 'userInfo') ?? {};
    const { roles, clusterRoles } = this.#surroundings.outside?.user ?? this.#roles.of(userInfo);
    return { userInfo, ...(roles && { roles }), ...(clusterRoles && { clusterRoles }) };
  }

  /** The namespace of a request; one that is not among the inputs has its name label only. */
  #namespaceOf(request: AdmissionRequest): JsonObject | undefined {
    const name = textOf(request.namespace);
    if (name === '') return undefined;
    return (
      this.#namespaces.get(name) ??
      labelled(name, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    );
  }
}

// Each namespace has its name as a label, which the server sets.
function labelled(name: string, namespace: JsonObject): JsonObject {
  const metadata = memberObject(namespace, 'metadata');
  const labels = { ...stringMapOf(metadata['labels']), 'kubernetes.io/metadata.name': name };
  return { ...namespace, metadata: { ...metadata, labels } };
}

function attributesOf(
  request: AdmissionRequest,
  object: JsonObject | null,
): CelRequest['attributes'] {
  const attributes = {
    kind: partsOf(request.kind, ['group', 'version', 'kind']),
    resource: partsOf(request.resource, ['group', 'version', 'resource']),
    subresource: textOf(request.subResource),
    name: textOf(request.name),
    namespace: textOf(request.namespace),
    operation: textOf(request.operation),
    user: objectField(request, 'userInfo') ?? {},
    object,
    oldObject: objectField(request, 'oldObject') ?? null,
    dryRun: request.dryRun === true,
    options: null,
  };
  return attributes as CelRequest['attributes'];
}

function isNamespace(object: KubernetesObject): boolean {
  const kind = kindOfObject(object);
  return kind?.kind === 'Namespace' && kind.group === '';
}

function objectField(
  request: AdmissionRequest,
  name: 'oldObject' | 'userInfo',
): JsonObject | undefined {
  const value = request[name];
  return typeof value === 'object' && value !== null ? jsonOf(value as JsonObject) : undefined;
}

// Members of a request that rules read in addition to its objects, user and operation.
function requestVariables(request: AdmissionRequest): ReadonlyMap<string, unknown> {
  const all = requestMembers.map((name) => [`request.${name}`, member(request, name)] as const);
  return new Map(all.filter(([, value]) => value !== undefined && value !== ''));
}

// Members with a special form.
const others: ReadonlySet<string> = new Set([
  ...['object', 'oldObject', 'userInfo', 'operation', 'options'],
]);
const requestMembers = requestFields.filter((name) => !others.has(name));

function partsOf<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Readonly<Record<Name, string>> {
  const parts = names.map((name) => [name, memberText(value, name)] as const);
  return Object.fromEntries(parts) as Record<Name, string>;
}
