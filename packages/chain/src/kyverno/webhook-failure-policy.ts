import type { WebhookSplit } from '@kubeadmit/admission/unstable-internal';
import { type JsonObject, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import type { CelPolicy } from '@kubeadmit/kyverno';
import { mayEnforce } from '@kubeadmit/kyverno/unstable-internal';

/** Returns the effective failure policy of a Kyverno policy (`GetFailurePolicy` of Kyverno). */
export function failurePolicyOf(object: KubernetesObject | undefined): 'Fail' | 'Ignore' {
  const spec = member(object, 'spec');
  const ofWebhook = member(member(spec, 'webhookConfiguration'), 'failurePolicy');
  return (ofWebhook ?? member(spec, 'failurePolicy')) === 'Ignore' ? 'Ignore' : 'Fail';
}

/**
 * Returns the failure policy of the webhook that evaluates a Kyverno policy in a step.
 *
 * @param policy the compiled policy, if it is of a CEL kind
 */
export function kyvernoWebhookFailurePolicy(
  step: 'mutate' | 'validate',
  split: WebhookSplit,
  { object, policy }: { readonly object: KubernetesObject; readonly policy?: CelPolicy },
): 'Fail' | 'Ignore' {
  if (failurePolicyOf(object) === 'Ignore') return 'Ignore';
  if (step === 'mutate' || split === 'failurePolicy') return 'Fail';
  const mayDeny =
    policy === undefined
      ? mayEnforce(member(object, 'spec') as JsonObject)
      : policy.actions.includes('Deny');
  return mayDeny ? 'Fail' : 'Ignore';
}
