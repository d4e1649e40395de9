import type { GroupVersionKind, JsonObject, Labels } from '@kubeadmit/apimachinery';
import { allSteps, type Steps } from '@kubeadmit/engine/unstable-internal';
import type {
  ApplyOptions,
  ContextSources,
  Exception,
  GivenUser,
  Policy,
  PolicyResponse,
} from '@kubeadmit/kyverno';
import type { RuleTracer } from '@kubeadmit/kyverno/traces';
import {
  applyPoliciesInSteps,
  type RequestSetting,
  readUser,
} from '@kubeadmit/kyverno/unstable-internal';
import type { ClassicPolicy } from '../readers/policies.ts';
import type { Response, Result } from './response.ts';

/** Facts about a request other than its object. */
export interface RequestFacts {
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  readonly user: GivenUser;
  readonly namespaceLabels: Labels;
  /** The Namespace of the request, in a cluster. */
  readonly namespace?: JsonObject | undefined;
  readonly exceptions: readonly Exception[];
  /** Objects that rules with `mutate.targets` may change. */
  readonly existing?: readonly JsonObject[];
  /** Whether the request comes from a cluster, whose integers are not doubles. */
  readonly isCluster: boolean;
  /** The time in milliseconds since 1970. */
  readonly now: number;
  /** Records the evaluation. */
  readonly trace?: RuleTracer | undefined;
  /** The request as kube-apiserver sees it before it calls a webhook; absent without a webhook. */
  readonly webhook?: RequestSetting['webhook'];
}

/** The values for one policy. */
export interface PolicyGivens {
  /** The operation of the request, such as `CREATE`. */
  readonly operation: string;
  /** Values of variables by name, which replace their evaluation. */
  readonly variables?: ReadonlyMap<string, unknown>;
  /** The data that the context of rules reads. */
  readonly sources: ContextSources;
}

/** Applies rules of ClusterPolicies and Policies in the order of the Kyverno CLI. */
export function applyClassic(
  policies: readonly ClassicPolicy[],
  object: JsonObject,
  facts: RequestFacts,
  givensOf: (policy: Policy) => PolicyGivens,
  options?: ApplyOptions,
): readonly Response[] {
  return allSteps(applyClassicInSteps(policies, object, facts, givensOf, options));
}

/** The same as {@link applyClassic}, as a generator that yields before each rule. */
export function* applyClassicInSteps(
  policies: readonly ClassicPolicy[],
  object: JsonObject,
  facts: RequestFacts,
  givensOf: (policy: Policy) => PolicyGivens,
  options?: ApplyOptions,
): Steps<readonly Response[]> {
  const setting = settingsFor(facts, givensOf);
  const compiled = policies.map(({ policy }) => policy);
  return responsesOf(policies, yield* applyPoliciesInSteps(compiled, object, setting, options));
}

/** Returns the setting of a request for each policy. */
export function settingsFor(
  { user: given, namespaceLabels, namespace, subresource, kind, ...rest }: RequestFacts,
  givensOf: (policy: Policy) => PolicyGivens,
): (policy: Policy) => RequestSetting {
  const { user, userVariables } = readUser(given);
  const { exceptions, existing, isCluster, now, trace, webhook } = rest;
  return (policy) => {
    const { operation, variables, sources } = givensOf(policy);
    return {
      operation,
      variables,
      sources,
      userVariables,
      facts: { operation, subresource, namespaceLabels, namespace, user, kind },
      exceptions,
      existing,
      isCluster,
      now,
      trace,
      webhook,
    };
  };
}

function responsesOf(
  policies: readonly ClassicPolicy[],
  responses: readonly PolicyResponse[],
): readonly Response[] {
  const unscored = new Set(
    policies.filter(({ isScored }) => !isScored).map(({ policy }) => policy),
  );
  return responses.map(({ policy, results, object: after }) => ({
    policy: policy.name,
    kind: policy.isNamespaced ? 'Policy' : 'ClusterPolicy',
    namespace: policy.isNamespaced ? policy.namespace : '',
    results: unscored.has(policy) ? results.map(asWarning) : results,
    object: after,
  }));
}

function asWarning(result: Result): Result {
  return result.status === 'fail' ? { ...result, status: 'warning' } : result;
}
