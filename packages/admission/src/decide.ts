import {
  apiVersionOf,
  type GroupVersionKind,
  internalErrorStatus,
  isNamespaceKind,
  isOperation,
  type KubernetesObject,
  labelsOf,
  type RequestAttributes,
  type Status,
} from '@kubeadmit/engine';
import { dependsOnObject, isExempt, type MatchEnvironment } from '@kubeadmit/matcher';
import { convertBack, equivalentResources, findDefinition, findKind } from '@kubeadmit/schemas';
import type { Cluster } from './cluster.ts';
import { convertObject } from './convert-object.ts';
import { type ConvertedBack, dispatchMutating } from './dispatch-mutating.ts';
import { dispatchValidating } from './dispatch-validating.ts';
import type { MutatingHook } from './hooks.ts';
import { makeMutateObject } from './make-mutation.ts';
import { mutatingParameter } from './mutating-parameter.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { Reinvocation } from './reinvocation.ts';
import { RequestContext } from './request-context.ts';
import type { PolicyTrace } from './trace.ts';
import { TypedValues } from './typed-values.ts';

/** What the policies of a cluster say of a request. */
export interface Decision {
  /** The denial; absent when the request is allowed. */
  readonly denial?: Status | undefined;
  /** The object after mutation; null when there is none or the mutating policies deny. */
  readonly object: KubernetesObject | null;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
  readonly trace: readonly PolicyTrace[];
}

/**
 * Runs a request through all mutating policies, once more where they ask for it, and then through all
 * validating ones, as kube-apiserver's admission plugins do.
 */
export function decide({ cluster, attributes }: PreparedRequest): Decision {
  if (!isOperation(attributes.operation) || isExempt(attributes)) {
    return { object: attributes.object, trace: [] };
  }
  return new Chain(cluster, attributes).run();
}

class Chain {
  private readonly cluster: Cluster;
  private readonly environment: MatchEnvironment;
  private readonly trace: PolicyTrace[] = [];
  private request: RequestAttributes;
  /** The name of a namespace that exists though it is not known; empty when there is none. */
  private readonly assumed: string;

  constructor(cluster: Cluster, request: RequestAttributes) {
    const { schemas } = cluster;
    this.cluster = cluster;
    this.request = request;
    // A namespace that is not known exists all the same, except where it is itself what is asked for.
    this.assumed = isNamespaceKind(request.kind) ? '' : request.namespace;
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

  // A field, since V8 makes a function that a constructor assigns to a property in the old generation,
  // where it keeps all of the request from being collected with what is young.
  private readonly findNamespace = (name: string): KubernetesObject | undefined =>
    this.cluster.namespaces.get(name) ??
    (name === this.assumed && name !== '' ? assumedNamespace(name) : undefined);

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

  run(): Decision {
    const failure = this.mutate();
    if (failure !== undefined) return { denial: failure, object: null, trace: this.trace };
    const hooks = this.cluster.policies.validating.candidates(this.request, this.environment);
    if (hooks.length === 0) return { object: this.request.object, trace: this.trace };
    const { denial, warnings, auditAnnotations, trace } = dispatchValidating(this.context(), hooks);
    // A literal, since spreading makes another hidden class for every request.
    return {
      denial,
      object: this.request.object,
      warnings,
      auditAnnotations,
      trace: this.trace.length === 0 ? trace : [...this.trace, ...trace],
    };
  }

  private mutate(): Status | undefined {
    if (this.request.operation === 'DELETE') return undefined;
    const hooks = this.cluster.policies.mutating.candidates(this.request, this.environment);
    if (hooks.length === 0) return undefined;
    const reinvocation = new Reinvocation();
    for (const pass of [1, 2] as const) {
      const result = dispatchMutating(this.context(), hooks, {
        pass,
        reinvocation,
        mutateObject: makeMutateObject(this.cluster.schemas, this.request.kind),
        parameterSeen: (parameter, kind) =>
          mutatingParameter(this.cluster.schemas, parameter, kind),
        convertBack: (object) => this.convertBack(object),
      });
      this.trace.push(...result.trace);
      if (result.denial !== undefined) return result.denial;
      this.request = { ...this.request, object: result.object };
      if (!reinvocation.requested || (!result.hasErrors && !mayActAgain(hooks, this.request)))
        break;
    }
    return undefined;
  }

  // The server writes what the policies made of an object over its internal form.
  private convertBack(object: KubernetesObject): ConvertedBack {
    const { object: before, kind } = this.request;
    const mutated = inVersion(object, apiVersionOf(kind));
    const converted = convertBack(this.cluster.schemas, mutated, before ?? {});
    return converted.object === undefined
      ? { status: internalErrorStatus(`failed to convert object: ${converted.error}`) }
      : { object: converted.object as KubernetesObject };
  }

  private context(): RequestContext {
    return new RequestContext({
      request: this.request,
      matchEnvironment: this.environment,
      convert: (object, kind) => convertObject(this.cluster.schemas, object, kind),
      findNamespace: this.findNamespace,
      authorizer: this.cluster.authorizer,
      typedValues: (roots) => new TypedValues(this.cluster.schemas, roots),
    });
  }
}

function inVersion(object: KubernetesObject, apiVersion: string): KubernetesObject {
  return object['apiVersion'] === apiVersion ? object : { ...object, apiVersion };
}

// Whether a second pass may do anything: policies ask for it, or say something else of a changed object.
function mayActAgain(hooks: readonly MutatingHook[], request: RequestAttributes): boolean {
  return hooks.some(
    ({ compiled, match, bindings }) =>
      compiled.reinvoke ||
      compiled.matchConditions.length > 0 ||
      dependsOnObject(match, request) ||
      bindings.some((binding) => binding.match && dependsOnObject(binding.match, request)),
  );
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
