import type { PolicyObject, PolicySpec } from '@kubeadmit/engine';

/**
 * How policies are divided into webhooks with `Fail` and with `Ignore`: by their failure policy, or by their effect. By
 * effect, a policy with `Fail` that only warns or audits belongs to `Ignore`, so that it blocks nothing while the
 * webhook is down. A change of its actions then needs another registration.
 */
export type WebhookSplit = 'failurePolicy' | 'effect';

/** One webhook of a configuration. */
export interface WebhookPart {
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly split: WebhookSplit;
}

/**
 * Returns the failure policy of the webhook that evaluates a native policy. A policy with parameters may deny whatever
 * its bindings say, if a parameter is missing.
 *
 * @param actions the `validationActions` of all bindings
 */
export function webhookFailurePolicy(
  { kind, spec }: PolicyObject<PolicySpec>,
  actions: readonly string[],
  split: WebhookSplit,
): 'Fail' | 'Ignore' {
  if (spec?.failurePolicy === 'Ignore') return 'Ignore';
  const mayDeny =
    split === 'failurePolicy' ||
    kind === 'MutatingAdmissionPolicy' ||
    spec?.paramKind != null ||
    actions.includes('Deny');
  return mayDeny ? 'Fail' : 'Ignore';
}
