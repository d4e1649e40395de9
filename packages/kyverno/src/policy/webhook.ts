import { evaluateMatchConditions, requestValue } from '@kubeadmit/engine/unstable-internal';
import { toCelValue } from '../cel/cel-value.ts';
import { objectField, stringField } from '../fields/fields.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { KeptReason } from '../trace/rule-trace.ts';
import type { Policy } from './policy.ts';
import { isServedByWebhook, type WebhookStep } from './webhook-rules.ts';

export type { WebhookStep } from './webhook-rules.ts';

/**
 * Returns why kube-apiserver does not call the webhook of a policy for a request; undefined if it does, if no
 * webhook takes part, or if the webhook has no rule for the request.
 *
 * kube-apiserver evaluates `webhookConfiguration.matchConditions` if a rule of the webhook matches. A condition that is
 * false wins over errors. With errors, the failure policy Fail rejects the request. Absent objects are null.
 */
export function uncalledReason(
  policy: Policy,
  state: PolicyRequest,
  step: WebhookStep,
): KeptReason | undefined {
  const { webhook } = state.request;
  if (webhook === undefined || policy.matchConditions === undefined) return undefined;
  if (!isServedByWebhook(policy.mutationRules(), step, state)) return undefined;
  const bindings = {
    object: toCelValue(state.object ?? null),
    oldObject: toCelValue(state.oldObject ?? null),
    request: requestValue(webhook, webhook),
    namespaceObject: null,
    params: null,
  };
  const result = evaluateMatchConditions(policy.matchConditions(), bindings, new Map(), 'Fail');
  if (result.outcome === 'match') return undefined;
  return result.outcome === 'noMatch'
    ? { type: 'matchConditions', condition: result.condition }
    : { type: 'webhook', failure: result.message, failurePolicy: failurePolicyOf(policy) };
}

/** The failure policy of the webhook of a policy (Kyverno's `GetFailurePolicy`). */
function failurePolicyOf({ spec }: Policy): 'Fail' | 'Ignore' {
  const configured = stringField(objectField(spec, 'webhookConfiguration') ?? {}, 'failurePolicy');
  return (configured || stringField(spec, 'failurePolicy')) === 'Ignore' ? 'Ignore' : 'Fail';
}
