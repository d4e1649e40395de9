import {
  isOperation,
  type PolicyObject,
  type PolicySpec,
  type RequestAttributes,
} from '@kubeadmit/engine';
import { isExempt, isSeenByStaticPolicies, type PolicyIndex } from '@kubeadmit/matcher';
import type { PolicyHook } from './hooks.ts';
import type { PolicySet } from './policy-set.ts';
import type { PreparedRequest } from './prepare-request.ts';
import { webhookFailurePolicy } from './webhook-failure-policy.ts';

/**
 * The policies that may be about a request, those of the server's own disk first: they alone see the resources that
 * policies are made of.
 */
export function hooksFor<Hook extends PolicyHook<PolicyObject<PolicySpec>, unknown>>(
  { cluster: { policies, staticPolicies, onlyWebhook }, environment: { match } }: PreparedRequest,
  request: RequestAttributes,
  indexOf: (policies: PolicySet) => PolicyIndex<Hook>,
): readonly Hook[] {
  if (!isOperation(request.operation)) return [];
  const stored = indexOf(policies).candidates(request, match);
  const own =
    staticPolicies === undefined ? none : indexOf(staticPolicies).candidates(request, match);
  if (own.length + stored.length === 0) return none;
  if (isExempt(request)) return isSeenByStaticPolicies(request) ? own : none;
  const all = own.length === 0 ? stored : [...own, ...stored];
  if (onlyWebhook === undefined) return all;
  const { failurePolicy, split } = onlyWebhook;
  return all.filter(({ policy, bindings }) => {
    const actions = bindings.flatMap((binding) => binding.actions);
    return webhookFailurePolicy(policy, actions, split) === failurePolicy;
  });
}

const none: readonly never[] = [];
