import { type Cluster, plainJson } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { ApiError } from '../errors/api-error.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { type AdmissionAttributes, prepare } from './attributes.ts';
import {
  callWebhook,
  failedCall,
  ignoresFailures,
  WebhookFailure,
  type WebhookReview,
} from './call-webhook.ts';
import { matchWebhook } from './match-webhook.ts';
import type { Webhook } from './webhooks.ts';

/** Asks all validating webhooks at once; the first refusal in their order counts (plugin ValidatingAdmissionWebhook). */
export async function callValidatingWebhooks(
  exchange: Exchange,
  attributes: AdmissionAttributes,
  { cluster, webhooks }: { readonly cluster: Cluster; readonly webhooks: readonly Webhook[] },
): Promise<void> {
  const prepared = prepare(exchange, cluster, attributes);
  const reviews: WebhookReview[] = [];
  for (const webhook of webhooks) {
    const match = matchWebhook(webhook.criteria, prepared);
    if (match.outcome === 'error') throw new ApiError(match.status);
    if (match.outcome === 'noMatch') continue;
    const { kind, resource } = match;
    const object = plainJson(match.object) as KubernetesObject | null;
    const oldObject = plainJson(match.oldObject) as KubernetesObject | null;
    const seen = { ...attributes, object, oldObject };
    reviews.push({ webhook, attributes: seen, kind, resource, isMutating: false });
  }
  const answers = await Promise.allSettled(reviews.map((review) => callWebhook(exchange, review)));
  const refusals = answers.flatMap((answer, i) => {
    const webhook = reviews[i]?.webhook;
    if (answer.status === 'fulfilled' || webhook === undefined) return [];
    const error: unknown = answer.reason;
    if (!(error instanceof WebhookFailure)) return [error];
    if (!ignoresFailures(webhook)) return [failedCall(webhook, error)];
    const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${i}`;
    exchange.annotations[key] = webhook.name;
    return [];
  });
  if (refusals.length > 0) throw refusals[0];
}
