import {
  type AdmissionRequest,
  type Authorizer,
  AuthorizerValue,
  apiVersionOf,
  type Bindings,
  type GroupVersionKind,
  isNamespaceKind,
  isOperation,
  type KubernetesObject,
  labelsOf,
  member,
  type RequestAttributes,
  ResourceCheckValue,
  readAttributes,
  type Status,
} from '@kubeadmit/engine';
import { isExempt, type MatchEnvironment } from '@kubeadmit/matcher';
import { diffJson, equalJson, type Json } from '@kubeadmit/mutator';
import {
  decode,
  equivalentResources,
  findDefinition,
  findKind,
  type Schemas,
  structOf,
} from '@kubeadmit/schemas';
import { base64OfText } from './base64.ts';
import type { Cluster } from './cluster.ts';
import { convertObject, kindOf } from './convert-object.ts';
import { dispatchMutating } from './dispatch-mutating.ts';
import { dispatchValidating } from './dispatch-validating.ts';
import { jsonText, plainJson } from './json-text.ts';
import { makeMutateObject } from './make-mutation.ts';
import { Reinvocation } from './reinvocation.ts';
import { RequestContext } from './request-context.ts';
import type { PolicyTrace } from './trace.ts';

/** An AdmissionResponse of `admission.k8s.io/v1`. */
export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Status;
  /** A JSON patch from the request's object to the result, in base64; absent when nothing changed. */
  readonly patch?: string;
  readonly patchType?: 'JSONPatch';
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/** What happens to a request. */
export type AdmissionOutcome =
  | {
      readonly response: AdmissionResponse;
      /** The object as the server would hold it before admission. */
      readonly requested: KubernetesObject | null;
      /** The object after mutation; absent when the request is denied or has none. */
      readonly object?: KubernetesObject;
      readonly trace: readonly PolicyTrace[];
      readonly failure?: undefined;
    }
  /** The request cannot be read. */
  | { readonly failure: string };

/**
 * Runs a request through all mutating policies, once more where they ask for it, and then through all
 * validating ones, as kube-apiserver does.
 */
export function admit(cluster: Cluster, request: AdmissionRequest): AdmissionOutcome {
  const sent = readAttributes(request);
  const objects = decodeObjects(cluster, sent);
  if ('failure' in objects) return objects;
  const attributes = { ...sent, ...objects };
  const uid = request.uid ?? '';
  const decided =
    isOperation(attributes.operation) && !isExempt(attributes)
      ? new Chain(cluster, attributes).run()
      : { object: objects.object, trace: [] };
  return outcome(uid, { sent: sent.object, requested: objects.object }, decided);
}

interface Decided {
  readonly denial?: Status | undefined;
  readonly object: KubernetesObject | null;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  readonly trace: readonly PolicyTrace[];
}

function outcome(
  uid: string,
  { sent, requested }: { readonly [from in 'sent' | 'requested']: KubernetesObject | null },
  { denial, object: decided, warnings = [], auditAnnotations, trace }: Decided,
): AdmissionOutcome {
  const allowed = denial === undefined;
  const object = decided === requested ? decided : (plainJson(decided) as KubernetesObject | null);
  const isChanged =
    allowed && object !== requested && !equalJson(requested as Json, object as Json);
  const operations = isChanged ? diffJson(sent as Json, object as Json) : [];
  return {
    response: {
      uid,
      allowed,
      ...(denial === undefined ? {} : { status: denial }),
      ...(operations.length === 0
        ? {}
        : { patch: base64OfText(jsonText(operations)), patchType: 'JSONPatch' }),
      ...(auditAnnotations === undefined ? {} : { auditAnnotations }),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
    requested,
    ...(allowed && object !== null ? { object } : {}),
    trace,
  };
}

type Objects = Pick<RequestAttributes, 'object' | 'oldObject'>;

function decodeObjects(
  { schemas }: Cluster,
  { kind, object, oldObject, options }: RequestAttributes,
): Objects | { readonly failure: string } {
  const decoded: Record<'object' | 'oldObject', KubernetesObject | null> = {
    object: null,
    oldObject: null,
  };
  for (const [name, given] of [
    ['object', object],
    ['oldObject', oldObject],
  ] as const) {
    if (given === null) continue;
    const result = decodeObject(schemas, given, kind);
    if (result.error !== undefined) return { failure: `request.${name}: ${result.error}` };
    decoded[name] = result.object ?? null;
  }
  const optionsKind = member(options, 'kind') ?? '';
  if (options !== null && !/^(Create|Update|Patch|Delete)Options$/.test(String(optionsKind))) {
    return { failure: `request.options: unknown kind ${JSON.stringify(optionsKind)}` };
  }
  return decoded;
}

// A built-in object that does not say its kind is of the request's.
function decodeObject(
  schemas: Schemas,
  object: KubernetesObject,
  kind: GroupVersionKind,
): ReturnType<typeof decode> {
  const own = kindOf(object);
  if (structOf(schemas, kind) === undefined) return decode(schemas, object, { kind });
  const apiVersion = member(object, 'apiVersion') || apiVersionOf(kind);
  const named = { ...object, apiVersion, kind: own.kind || kind.kind };
  return decode(schemas, named, { kind: kindOf(named) });
}

class Chain {
  private readonly cluster: Cluster;
  private readonly environment: MatchEnvironment;
  private readonly findNamespace: (name: string) => KubernetesObject | undefined;
  private readonly trace: PolicyTrace[] = [];
  private request: RequestAttributes;

  constructor(cluster: Cluster, request: RequestAttributes) {
    const { schemas, namespaces } = cluster;
    this.cluster = cluster;
    this.request = request;
    // A namespace that is not known exists all the same, except where it is itself what is asked for.
    const assumed = isNamespaceKind(request.kind) ? '' : request.namespace;
    this.findNamespace = (name) =>
      namespaces.get(name) ??
      (name === assumed && name !== '' ? assumedNamespace(name) : undefined);
    this.environment = {
      namespaceLabels: (name) => {
        const namespace = this.findNamespace(name);
        return namespace && labelsOf(namespace);
      },
      equivalents: (resource) => equivalentResources(schemas, resource, request.subresource),
      kindFor: (resource, subresource) =>
        findKind(schemas, resource, subresource) ??
        this.kindOfUnserved(resource.version, subresource),
    };
  }

  // A version of a definition that is not served has the kind of the others.
  private kindOfUnserved(version: string, subresource: string): GroupVersionKind | undefined {
    const { schemas } = this.cluster;
    const served = findKind(schemas, this.request.resource);
    const definition = served && findDefinition(schemas, { ...served, version })?.version;
    if (served === undefined || definition === undefined) return undefined;
    if (subresource === 'scale' && definition.hasScale) {
      return { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    }
    const isKind = subresource === '' || (subresource === 'status' && definition.hasStatus);
    return isKind ? { ...served, version } : undefined;
  }

  run(): Decided {
    const denial = this.mutate();
    if (denial !== undefined) return { denial, object: null, trace: this.trace };
    const { policies } = this.cluster;
    const { resource } = this.request;
    const hooks = policies.validating.candidates(resource, this.environment.equivalents(resource));
    if (hooks.length === 0) return { object: this.request.object, trace: this.trace };
    const validated = dispatchValidating(this.context(), hooks);
    return {
      ...validated,
      object: this.request.object,
      trace: [...this.trace, ...validated.trace],
    };
  }

  private mutate(): Status | undefined {
    const { policies } = this.cluster;
    const { resource, operation } = this.request;
    if (operation === 'DELETE') return undefined;
    const hooks = policies.mutating.candidates(resource, this.environment.equivalents(resource));
    if (hooks.length === 0) return undefined;
    const reinvocation = new Reinvocation();
    for (const pass of [1, 2] as const) {
      const result = dispatchMutating(this.context(), hooks, {
        pass,
        reinvocation,
        mutateObject: makeMutateObject(this.cluster.schemas, this.request.kind),
        convertBack: (object) => ({ ...object, apiVersion: apiVersionOf(this.request.kind) }),
      });
      this.trace.push(...result.trace);
      if (result.denial !== undefined) return result.denial;
      this.request = { ...this.request, object: result.object };
      if (!reinvocation.requested) break;
    }
    return undefined;
  }

  private context(): RequestContext {
    return new RequestContext({
      request: this.request,
      matchEnvironment: this.environment,
      convert: (object, kind) => convertObject(this.cluster.schemas, object, kind),
      findNamespace: this.findNamespace,
      authorizerBindings: authorizerBindings(this.request, this.cluster.authorizer),
    });
  }
}

function authorizerBindings(request: RequestAttributes, authorizer: Authorizer): Bindings {
  const { user, resource, subresource, namespace, name } = request;
  const asker = new AuthorizerValue(
    {
      username: user.username ?? '',
      uid: user.uid ?? '',
      groups: user.groups ?? [],
      extra: user.extra ?? {},
    },
    authorizer,
  );
  const { group, resource: plural } = resource;
  const question = { group, resource: plural, subresource, namespace, name };
  return {
    authorizer: asker,
    'authorizer.requestResource': new ResourceCheckValue(asker, question),
  };
}

// A namespace that the request is made in exists, even when nothing is known about it.
function assumedNamespace(name: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}
