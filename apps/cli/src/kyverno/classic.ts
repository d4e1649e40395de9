import {
  applyPolicies,
  type ContextSources,
  type Exception,
  type GivenUser,
  type Labels,
  type Policy,
  readUser,
} from '@kubeadmit/kyverno';
import type { GroupVersionKind } from '@kubeadmit/schemas';
import type { JsonObject } from './json.ts';
import type { ClassicPolicy } from './policies.ts';
import type { Response, Result } from './response.ts';

/** What is known of a request besides its object. */
export interface RequestFacts {
  readonly operation: string;
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  readonly user: GivenUser;
  readonly namespaceLabels: Labels;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

/** What is given to one policy. */
export interface PolicyGivens {
  readonly operation: string;
  readonly variables: ReadonlyMap<string, unknown>;
  readonly sources: ContextSources;
}

/** Applies rules of ClusterPolicies and Policies in the order of the Kyverno CLI. */
export function applyClassic(
  policies: readonly ClassicPolicy[],
  exceptions: readonly Exception[],
  object: JsonObject,
  facts: RequestFacts,
  givensOf: (policy: Policy) => PolicyGivens,
): readonly Response[] {
  const { user, ...shown } = readUser(facts.user);
  const { namespaceLabels, subresource, kind, now } = facts;
  const unscored = new Set(
    policies.filter(({ isScored }) => !isScored).map(({ policy }) => policy),
  );
  const responses = applyPolicies(
    policies.map(({ policy }) => policy),
    object,
    (policy) => {
      const { operation, variables, sources } = givensOf(policy);
      return {
        operation,
        facts: { operation, subresource, namespaceLabels, user, kind },
        ...shown,
        sources,
        variables,
        exceptions,
        isCluster: false,
        now,
      };
    },
  );
  return responses.map(({ policy, results, object: after }) => ({
    policy: policy.name,
    kind: policy.isNamespaced ? 'Policy' : 'ClusterPolicy',
    results: unscored.has(policy) ? results.map(asWarning) : results,
    object: after,
  }));
}

function asWarning(result: Result): Result {
  return result.status === 'fail' ? { ...result, status: 'warning' } : result;
}
