import { type JsonObject, type KubernetesObject, labelsOf } from '@kubeadmit/apimachinery';
import type { Value } from '@kubeadmit/cel';
import type { PlainObject } from '@kubeadmit/cel/values';
import type { RequestAttributes } from '@kubeadmit/engine';
import { requestValue } from '@kubeadmit/engine/unstable-internal';
import { type CompiledMatch, type MatchResult, matchRequest } from '@kubeadmit/matcher';
import type { RuleTracer } from '../trace/rule-trace.ts';
import { contextValues } from './environment.ts';
import type { CelSources } from './libraries/sources.ts';
import type { CelPolicy, CompiledSpec } from './policy.ts';

/** A request for CEL policies. */
export interface CelRequest {
  /** The attributes of the request, as policies see them. */
  readonly attributes: RequestAttributes;
  /** The object of the request as it was sent, where policies have changed that of `attributes` since. */
  readonly sentObject?: JsonObject | null | undefined;
  /** The namespace of the object, where it is known. */
  readonly namespaceObject?: JsonObject | undefined;
  /** Data sources that expressions can read. */
  readonly sources: CelSources;
  /** Records which policies match the request, and why. */
  readonly trace?: RuleTracer | undefined;
}

/** The result of a policy for a request or a JSON object. */
export interface CelResult {
  /**
   * The part of the policy that produced the result, if not the policy itself: `match`, `evaluation` or
   * `exception`. Kyverno names the results of generating and deleting policies by the policy.
   */
  readonly rule?: string;
  /** The outcome. */
  readonly status: 'pass' | 'fail' | 'error' | 'skip';
  /** For people; may be empty. */
  readonly message: string;
  /** The exceptions that exempt the object, as `NAMESPACE/NAME`. */
  readonly exceptions?: readonly string[];
}

/** The values that expressions of a policy see in a request: an object that it has not is an empty one. */
export function requestBindings({ attributes, namespaceObject, sources }: CelRequest): Bindings {
  return {
    ...contextValues(sources),
    object: (attributes.object ?? {}) as Value,
    oldObject: (attributes.oldObject ?? {}) as Value,
    request: requestValue(attributes, attributes),
    namespaceObject: (namespaceObject ?? null) as Value,
  };
}

/**
 * Returns the values that expressions of Kyverno's policies see in a request: `request` has both objects
 * (Kyverno's `prepareK8sData`). An absent object is null, and an empty map in mutating policies.
 */
export function policyBindings(request: CelRequest, isMutating: boolean): Bindings {
  const { attributes, sentObject = attributes.object } = request;
  const absent = isMutating ? {} : null;
  const bindings = requestBindings(request);
  const fields = bindings['request'] as PlainObject;
  const objects = { object: sentObject ?? absent, oldObject: attributes.oldObject ?? absent };
  return { ...bindings, request: { ...fields, ...objects } as PlainObject };
}

/** Values of variables by name. */
export type Bindings = Readonly<Record<string, Value>>;

/** The values that expressions of a policy see in a JSON object. */
export function payloadBindings(payload: JsonObject, sources: CelSources): Bindings {
  return {
    ...contextValues(sources),
    object: payload as PlainObject,
    oldObject: null,
    request: null,
    namespaceObject: null,
  };
}

/** Whether a spec of a policy matches a request; a string is the error of an undecidable match. */
export function matchesRequest(
  { namespace }: CelPolicy,
  { match, source }: CompiledSpec,
  request: CelRequest,
): boolean | string {
  const own = request.attributes.namespace;
  const isElsewhere = namespace !== '' && own !== namespace;
  const result = match === undefined || isElsewhere ? undefined : askConstraints(match, request);
  request.trace?.spec({
    source,
    ...(isElsewhere ? { elsewhere: own } : {}),
    ...(result === undefined ? {} : { match: result }),
  });
  return result === undefined ? false : isMatch(result);
}

/** Whether constraints select a request; a namespace that is not given has the label of its name only. */
export function matchesConstraints(match: CompiledMatch, request: CelRequest): boolean | string {
  return isMatch(askConstraints(match, request));
}

function askConstraints(
  match: CompiledMatch,
  { attributes, namespaceObject }: CelRequest,
): MatchResult {
  return matchRequest(match, attributes, {
    namespaceLabels: (name) =>
      namespaceObject === undefined
        ? { 'kubernetes.io/metadata.name': name }
        : labelsOf(namespaceObject as KubernetesObject),
    equivalents: () => [],
    kindFor: () => undefined,
  });
}

function isMatch(result: MatchResult): boolean | string {
  return result.outcome === 'error' ? result.message : result.outcome === 'match';
}
