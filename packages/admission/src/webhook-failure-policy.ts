import type { PolicyObject, PolicySpec } from '@kubeadmit/engine/internal';

/**
 * Returns the failure policy of the webhook that evaluates a native policy. It is `Ignore` also for a policy with `Fail`
 * whose bindings only warn or audit: without the webhook, a policy that denies nothing must not deny everything. A
 * policy with parameters may deny whatever its bindings say, if a parameter is missing.
 *
 * @param actions the `validationActions` of all bindings
 */
export function webhookFailurePolicy(
  { kind, spec }: PolicyObject<PolicySpec>,
  actions: readonly string[],
): 'Fail' | 'Ignore' {
  if (spec?.failurePolicy === 'Ignore') return 'Ignore';
  const isMutating = kind === 'MutatingAdmissionPolicy';
  const mayDeny = isMutating || spec?.paramKind != null || actions.includes('Deny');
  return mayDeny ? 'Fail' : 'Ignore';
}
