import { type KubernetesObject, metadataString, type Status } from '@kubeadmit/apimachinery';
import { notFoundStatus } from '@kubeadmit/apimachinery/status';
import { getOrMake } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import {
  type Authorizer,
  isNamespaceKind,
  type ParamKind,
  type RequestAttributes,
} from '@kubeadmit/engine';
import {
  AuthorizerValue,
  namespaceValue,
  ResourceCheckValue,
  requestValue,
} from '@kubeadmit/engine/unstable-internal';
import {
  type CompiledMatch,
  type MatchResult,
  matchRequest,
  type Parameter,
} from '@kubeadmit/matcher';
import { type AuthorizerValues, EvaluationBindings, type Matched } from './evaluation-bindings.ts';
import type { PreparedRequest } from './prepare-request.ts';
import type { ParameterName } from './trace.ts';
import { type TypedRoot, TypedValues } from './typed-values.ts';
import { type VersionedObjects, VersionedRequest } from './versioned-objects.ts';

/** One request during its evaluation, with the data that policies share. */
export class RequestContext {
  readonly prepared: PreparedRequest;
  readonly request: RequestAttributes;
  readonly versions: VersionedRequest;
  #lastCriteria: CompiledMatch | undefined;
  #lastMatch: MatchResult | undefined;
  #authorizerValues: AuthorizerValues | undefined;
  #lastBindings: EvaluationBindings | undefined;
  readonly #requestValues: Map<string, Value> = new Map();
  #namespace:
    | { readonly object: KubernetesObject | null }
    | { readonly status: Status }
    | undefined;
  #filteredNamespace: Value | undefined;
  #wholeNamespace: Value | undefined;

  /** @param request The request with the current object */
  constructor(prepared: PreparedRequest, request: RequestAttributes) {
    this.prepared = prepared;
    this.request = request;
    this.versions = new VersionedRequest(request, prepared.cluster.schemas);
  }

  /** Returns whether criteria match the request; policies that share the criteria also share the result. */
  match(criteria: CompiledMatch): MatchResult {
    if (this.#lastMatch !== undefined && this.#lastCriteria === criteria) return this.#lastMatch;
    const match = matchRequest(criteria, this.request, this.prepared.environment.match);
    this.#lastCriteria = criteria;
    this.#lastMatch = match;
    return match;
  }

  /**
   * The namespace of the request: none for objects of cluster scope and for namespaces themselves,
   * and a Status when it does not exist.
   */
  requestNamespace(): { readonly object: KubernetesObject | null } | { readonly status: Status } {
    this.#namespace ??= this.#loadNamespace();
    return this.#namespace;
  }

  #loadNamespace(): { readonly object: KubernetesObject | null } | { readonly status: Status } {
    const { namespace, kind } = this.request;
    if (namespace === '' || isNamespaceKind(kind)) return { object: null };
    const object = this.prepared.environment.findNamespace(namespace);
    if (object !== undefined) return { object };
    return { status: notFoundStatus({ group: '', name: 'namespaces' }, namespace) };
  }

  /** The value of `namespaceObject`. */
  get namespaceValue(): Value {
    this.#filteredNamespace ??= namespaceValue(this.#namespaceOrNull());
    return this.#filteredNamespace;
  }

  /** The value of `namespaceObject` in audit annotations: nothing is left out of the metadata. */
  get wholeNamespaceValue(): Value {
    this.#wholeNamespace ??= withoutKind(this.#namespaceOrNull());
    return this.#wholeNamespace;
  }

  #namespaceOrNull(): KubernetesObject | null {
    const namespace = this.requestNamespace();
    return 'object' in namespace ? namespace.object : null;
  }

  /** The value of `request` for a policy that matched a resource and kind. */
  requestValue(matched: Matched): Value {
    const { kind, resource } = matched;
    const key = [kind.group, kind.version, kind.kind, resource.group, resource.version].join('/');
    return getOrMake(this.#requestValues, key, () => requestValue(this.request, matched));
  }

  /** The values of `authorizer` and `authorizer.requestResource`. */
  get authorizer(): AuthorizerValues {
    this.#authorizerValues ??= authorizerValues(this.request, this.prepared.cluster.authorizer);
    return this.#authorizerValues;
  }

  /** Finds the values that the server stores as Go structs. */
  typedValues(roots: readonly TypedRoot[]): TypedValues {
    const { schemas, handsOnStructs } = this.prepared.cluster;
    return new TypedValues(schemas, handsOnStructs ? roots : []);
  }

  /** Returns the variables that expressions see; policies that see the same values share them. */
  bindings(
    versioned: VersionedObjects,
    matched: Matched,
    parameter: Parameter,
    paramKind?: ParamKind,
  ): EvaluationBindings {
    const last = this.#lastBindings;
    if (last?.isOf(versioned, matched, parameter)) return last;
    const { object, oldObject, typing } = versioned;
    const subject = { object, oldObject, typing, matched, parameter, paramKind };
    this.#lastBindings = new EvaluationBindings(this, subject);
    return this.#lastBindings;
  }
}

function withoutKind(namespace: KubernetesObject | null): Value {
  if (namespace === null) return null;
  const { apiVersion: _apiVersion, kind: _kind, ...rest } = namespace;
  return rest as Value;
}

function authorizerValues(request: RequestAttributes, authorizer: Authorizer): AuthorizerValues {
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
  return { asker, requestResource: new ResourceCheckValue(asker, question) };
}

/** Names a parameter for the trace. */
export function parameterName(parameter: Parameter): ParameterName | undefined {
  if (parameter === null) return undefined;
  return {
    namespace: metadataString(parameter, 'namespace'),
    name: metadataString(parameter, 'name'),
  };
}
