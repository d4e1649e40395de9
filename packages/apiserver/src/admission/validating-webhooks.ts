import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Exchange } from '../machinery.ts';
import type { AdmissionAttributes } from './attributes.ts';
import { callWebhook, takeVerdict } from './call-webhook.ts';
import { concerns, webhooksOf } from './webhook-rules.ts';

/** Asks all validating webhooks at once; the first refusal in their order counts (plugin ValidatingAdmissionWebhook). */
export async function callValidatingWebhooks(
  exchange: Exchange,
  attributes: AdmissionAttributes,
  configurations: readonly KubernetesObject[],
): Promise<void> {
  const webhooks = webhooksOf(configurations).filter((webhook) =>
    concerns(webhook, exchange, attributes),
  );
  const answers = await Promise.allSettled(
    webhooks.map((webhook) => callWebhook(exchange, webhook, attributes)),
  );
  for (const [i, answer] of answers.entries()) {
    const webhook = webhooks[i];
    if (webhook === undefined) continue;
    if (answer.status === 'rejected') throw answer.reason;
    if (answer.value !== undefined) takeVerdict(exchange, webhook, answer.value);
  }
}
