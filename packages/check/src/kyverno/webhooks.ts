import {
  type JsonObject,
  type KubernetesObject,
  kindOfObject,
  labelsOf,
  member,
  metadataString,
} from '@kubeadmit/apimachinery';
import { memberText, stringMapOf, textOf } from '@kubeadmit/apimachinery/internal';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { allSteps, type ObserveEvaluation, type Steps } from '@kubeadmit/engine/internal';
import { timeOn } from '@kubeadmit/go/internal';
import type {
  CelPolicy,
  CelRequest,
  CelSources,
  ContextSources,
  GivenUser,
} from '@kubeadmit/kyverno';
import { type PolicyTrace, RuleTracer } from '@kubeadmit/kyverno/internal';
import {
  jsonOf,
  type KyvernoExceptions,
  type KyvernoPolicies,
  readKyvernoExceptions,
  readKyvernoPolicies,
} from '@kubeadmit/lint/kyverno';
import { findResource, type Schemas } from '@kubeadmit/schemas';
import { KyvernoNamespaceAssumptions } from '../report/assumed-kyverno-namespaces.ts';
import type { Finding } from '../report/findings.ts';
import { requestFields } from '../requests/review.ts';
import { applyMutating, applyValidating } from './cel.ts';
import {
  applyClassic,
  applyClassicInSteps,
  type PolicyGivens,
  type RequestFacts,
} from './classic.ts';
import { clusterSources } from './cluster-sources.ts';
import {
  findKyvernoNotes,
  findKyvernoProblems,
  type IsStored,
  type KyvernoNote,
  type KyvernoProblem,
} from './policy-problems.ts';
import type { Response, Result } from './response.ts';
import { UserRoles } from './user-roles.ts';

/** What Kyverno's webhooks say of a request. */
export interface WebhookAnswer {
  readonly findings: readonly Finding[];
  /** Whether they refuse the request. */
  readonly isDenied: boolean;
}

/** What Kyverno's mutating webhook makes of the object of a request. */
export interface MutatedObject extends WebhookAnswer {
  readonly object: JsonObject;
}

/** What rules of ClusterPolicies and Policies are asked about. */
interface ClassicRequest {
  readonly object: JsonObject;
  readonly facts: RequestFacts;
  readonly givens: PolicyGivens;
  readonly oldObject: JsonObject | undefined;
}

/** The cluster that Kyverno runs in. */
export interface KyvernoCluster {
  /** The objects that rules find there, namespaces and RBAC among them. */
  readonly held: readonly KubernetesObject[];
  /** What rules find besides. */
  readonly lookups: Iterable<KubernetesObject>;
  readonly schemas: Schemas;
  /** Gives the time in milliseconds since 1970. */
  readonly clock: () => number;
  /** Is told of every evaluation of an expression in CEL. */
  readonly observe?: ObserveEvaluation | undefined;
}

/**
 * Kyverno in a cluster: its policies, asked about requests as its webhooks ask them, with other objects as
 * what the cluster holds.
 */
export class KyvernoWebhooks {
  readonly #objects: readonly KubernetesObject[];
  readonly #policies: KyvernoPolicies;
  readonly #cluster: KyvernoCluster;
  #ofRequests: KyvernoWebhooks | undefined;
  readonly #exceptions: KyvernoExceptions;
  readonly #sources: ContextSources & CelSources;
  readonly #namespaces: ReadonlyMap<string, JsonObject>;
  readonly #roles: UserRoles;
  #assumptions: KyvernoNamespaceAssumptions | undefined;
  #trace: RuleTracer | undefined;

  /** @param read the policies, where they have been read already */
  constructor(
    policies: readonly KubernetesObject[],
    cluster: KyvernoCluster,
    read?: KyvernoPolicies,
  ) {
    const { held, lookups, schemas, clock, observe } = cluster;
    this.#objects = policies;
    this.#cluster = cluster;
    this.#exceptions = readKyvernoExceptions(policies);
    const exceptions = this.#exceptions.cel;
    this.#policies = read ?? readKyvernoPolicies(policies, { exceptions, clock, observe });
    const objects = held.map((object) => jsonOf(object));
    this.#roles = new UserRoles(objects);
    const known = new Set(held);
    const others = (): JsonObject[] =>
      [...new Set(lookups)].filter((object) => !known.has(object)).map((each) => jsonOf(each));
    this.#sources = clusterSources(() => [...objects, ...others()], schemas);
    this.#namespaces = new Map(
      objects.filter(isNamespace).map((object) => {
        const name = metadataString(object, 'name');
        return [name, labelled(name, object)] as const;
      }),
    );
  }

  /** The policies as they were read: which Kyverno would refuse, and which are not evaluated. */
  get policies(): KyvernoPolicies {
    return this.#policies;
  }

  /**
   * The same without the policies that are for scans alone: those with `spec.admission: false`
   * (`spec.evaluation.admission.enabled: false` of policies in CEL), which Kyverno does not ask about requests.
   */
  get ofRequests(): KyvernoWebhooks {
    this.#ofRequests ??= this.#withoutScans();
    return this.#ofRequests;
  }

  #withoutScans(): KyvernoWebhooks {
    const all = this.#policies;
    const classic = all.classic.filter(
      ({ object }) => member(member(object, 'spec'), 'admission') !== false,
    );
    const cel = all.cel.filter(({ object }) => {
      const evaluation = member(member(object, 'spec'), 'evaluation');
      return member(member(evaluation, 'admission'), 'enabled') !== false;
    });
    const isSame = classic.length === all.classic.length && cel.length === all.cel.length;
    return isSame
      ? this
      : new KyvernoWebhooks(this.#objects, this.#cluster, { ...all, classic, cel });
  }

  /**
   * What keeps policies, or rules of them, from acting. What `isStored` says that a server has taken is not held against
   * the definitions that are known here, which may be older.
   */
  problems(isStored: IsStored = () => false): readonly KyvernoProblem[] {
    return findKyvernoProblems(this.#policies, isStored);
  }

  /** What of policies and exceptions is right and hardly meant. */
  notes(isStored: IsStored = () => false): readonly KyvernoNote[] {
    const given = { policies: this.#policies, exceptions: this.#exceptions };
    return findKyvernoNotes(this.#objects, given, isStored);
  }

  /** Tells what selectors ask about namespaces that the cluster does not hold. */
  get assumptions(): KyvernoNamespaceAssumptions {
    this.#assumptions ??= new KyvernoNamespaceAssumptions(this.#policies, this.#namespaces);
    return this.#assumptions;
  }

  /** Whether any policy may change objects. */
  get mutates(): boolean {
    const { classic, cel } = this.#policies;
    return (
      classic.some(({ policy }) => policy.hasMutate) || cel.some(({ policy }) => policy.isMutating)
    );
  }

  /** Does `work`, and tells what it asked of the policies, in order; what it asks in steps is not told of. */
  traced<Result>(work: () => Result): {
    readonly result: Result;
    readonly policies: readonly PolicyTrace[];
  } {
    const trace = new RuleTracer();
    this.#trace = trace;
    try {
      return { result: work(), policies: trace.policies };
    } finally {
      this.#trace = undefined;
    }
  }

  /** Lets the mutating policies change an object, which is that of the request or made of it. */
  mutate(request: AdmissionRequest, object: KubernetesObject): MutatedObject {
    const given = jsonOf(object);
    const classic = this.#applyClassic(request, given, 'mutate');
    return allSteps(this.#mutated(request, given, classic));
  }

  /** Does as {@link KyvernoWebhooks.mutate}, and gives way before each rule. */
  *mutateInSteps(request: AdmissionRequest, object: KubernetesObject): Steps<MutatedObject> {
    const given = jsonOf(object);
    const classic = yield* this.#classicInSteps(request, given, 'mutate');
    return yield* this.#mutated(request, given, classic);
  }

  /** Asks the validating policies about a request whose object is the one given. */
  validate(request: AdmissionRequest, object: KubernetesObject | null): WebhookAnswer {
    const classic = this.#applyClassic(request, object === null ? {} : jsonOf(object), 'validate');
    return allSteps(this.#validated(request, object, classic));
  }

  /** Does as {@link KyvernoWebhooks.validate}, and gives way before each rule. */
  *validateInSteps(
    request: AdmissionRequest,
    object: KubernetesObject | null,
  ): Steps<WebhookAnswer> {
    const given = object === null ? {} : jsonOf(object);
    const classic = yield* this.#classicInSteps(request, given, 'validate');
    return yield* this.#validated(request, object, classic);
  }

  *#mutated(
    request: AdmissionRequest,
    given: JsonObject,
    classic: readonly Response[],
  ): Steps<MutatedObject> {
    let current = classic.at(-1)?.object ?? given;
    const cel = yield* applyMutating(
      this.#celPolicies(true),
      this.#celRequest(request, current),
      this.#cluster.schemas,
    );
    current = cel.at(-1)?.object ?? current;
    return { ...this.#answer([...classic, ...cel]), object: jsonOf(current) };
  }

  *#validated(
    request: AdmissionRequest,
    object: KubernetesObject | null,
    classic: readonly Response[],
  ): Steps<WebhookAnswer> {
    const asked = this.#celRequest(request, object === null ? null : jsonOf(object));
    const cel = yield* applyValidating(this.#celPolicies(false), asked);
    return this.#answer([...classic, ...cel]);
  }

  #celPolicies(isMutating: boolean): readonly CelPolicy[] {
    return this.#policies.cel
      .map(({ policy }) => policy)
      .filter((policy) => policy.isMutating === isMutating);
  }

  #applyClassic(
    request: AdmissionRequest,
    given: JsonObject,
    only: 'mutate' | 'validate',
  ): readonly Response[] {
    const { classic } = this.#policies;
    if (classic.length === 0) return [];
    const { object, facts, givens, oldObject } = this.#classicRequest(request, given);
    return applyClassic(classic, object, facts, () => givens, { oldObject, only });
  }

  *#classicInSteps(
    request: AdmissionRequest,
    given: JsonObject,
    only: 'mutate' | 'validate',
  ): Steps<readonly Response[]> {
    const { classic } = this.#policies;
    if (classic.length === 0) return [];
    const { object, facts, givens, oldObject } = this.#classicRequest(request, given);
    return yield* applyClassicInSteps(classic, object, facts, () => givens, { oldObject, only });
  }

  #classicRequest(request: AdmissionRequest, given: JsonObject): ClassicRequest {
    const old = objectField(request, 'oldObject');
    const operation = textOf(request.operation);
    const namespace = this.#namespaceOf(request);
    const facts: RequestFacts = {
      kind: this.#kindOf(request),
      subresource: textOf(request.subResource),
      user: this.#userOf(request),
      namespaceLabels: labelsOf(namespace),
      namespace,
      exceptions: this.#exceptions.classic,
      isCluster: true,
      now: timeOn(this.#cluster.clock),
      trace: this.#trace,
    };
    const object = operation === 'DELETE' ? (old ?? given) : given;
    const variables = requestVariables(request);
    const givens = { operation, sources: this.#sources, variables };
    return { object, facts, givens, oldObject: old };
  }

  // Rules name subresources by the kind of their resource, such as `Pod/exec` (`WithTopLevelGVK`).
  #kindOf({ kind, resource, subResource = '' }: AdmissionRequest): RequestFacts['kind'] {
    const own = partsOf(kind, ['group', 'version', 'kind']);
    if (subResource === '') return own;
    const parts = partsOf(resource, ['group', 'version', 'resource']);
    const found = findResource(this.#cluster.schemas, parts);
    return found === undefined ? own : { ...parts, kind: found.kind };
  }

  #celRequest(request: AdmissionRequest, object: JsonObject | null): CelRequest {
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
    return {
      attributes: attributes as CelRequest['attributes'],
      namespaceObject: this.#namespaceOf(request),
      sources: this.#sources,
      trace: this.#trace,
    };
  }

  #userOf(request: AdmissionRequest): GivenUser {
    const userInfo = objectField(request, 'userInfo') ?? {};
    return { userInfo, ...this.#roles.of(userInfo) };
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

  #answer(responses: readonly Response[]): WebhookAnswer {
    const findings = responses.flatMap((response) =>
      response.results.flatMap((result) => this.#findingsOf(response, result)),
    );
    const isDenied = responses.some((response) =>
      response.results.some((result) => this.#blocks(response, result)),
    );
    return { findings, isDenied };
  }

  /** Failures are what the action says; errors block where the failure policy is Fail. */
  #blocks({ policy, kind }: Response, { status, action, type }: Result): boolean {
    if (status === 'fail') return action === 'Enforce' && type === 'Validation';
    return status === 'error' && this.#failsClosed(kind, policy);
  }

  #failsClosed(kind: string, name: string): boolean {
    const { classic, cel } = this.#policies;
    const found = [...classic, ...cel].find(
      ({ object }) => object['kind'] === kind && metadataString(object, 'name') === name,
    );
    const spec = member(found?.object, 'spec');
    const policy = member(member(spec, 'webhookConfiguration'), 'failurePolicy');
    return (policy ?? member(spec, 'failurePolicy')) !== 'Ignore';
  }

  #findingsOf({ policy, kind }: Response, result: Result): readonly Finding[] {
    const { rule, status, message, type } = result;
    const isClassic = kind === 'ClusterPolicy' || kind === 'Policy';
    const origin = isClassic ? { policy, rule } : { policy };
    const said = message === '' ? origin : { ...origin, message };
    switch (status) {
      case 'pass':
        return [{ ...origin, verdict: type === 'Mutation' ? 'mutate' : 'allow' }];
      case 'fail':
        return this.#actionsOf(kind, policy, result).map((verdict) => ({ ...said, verdict }));
      case 'warning':
        return [{ ...said, verdict: 'warn' }];
      default:
        return [{ ...said, verdict: status }];
    }
  }

  #actionsOf(kind: string, name: string, { action }: Result): readonly Finding['verdict'][] {
    const cel = this.#policies.cel.find(
      ({ policy }) => policy.kind === kind && policy.name === name,
    );
    if (cel === undefined) return [action === 'Enforce' ? 'deny' : 'audit'];
    return cel.policy.actions.map((one) => {
      if (one === 'Warn') return 'warn';
      return one === 'Audit' ? 'audit' : 'deny';
    });
  }
}

// Each namespace has its name as a label, which the server sets.
function labelled(name: string, namespace: JsonObject): JsonObject {
  const metadata = (namespace['metadata'] ?? {}) as JsonObject;
  const labels = { ...stringMapOf(metadata['labels']), 'kubernetes.io/metadata.name': name };
  return { ...namespace, metadata: { ...metadata, labels } };
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

// What rules read of a request besides its objects, its user and its operation.
function requestVariables(request: AdmissionRequest): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const name of requestMembers) {
    const value = member(request, name);
    if (value !== undefined && value !== '') found.set(`request.${name}`, value);
  }
  return found;
}

// These are read in ways of their own.
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
