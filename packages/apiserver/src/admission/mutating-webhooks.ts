import { plainJson } from '@kubeadmit/admission';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { applyJsonPatch, type Json, type PatchOperation } from '@kubeadmit/mutator';
import { decode } from '@kubeadmit/schemas';
import { internalError } from '../errors/failures.ts';
import type { Exchange } from '../machinery.ts';
import { sameJson } from '../objects/semantic-equality.ts';
import type { AdmissionAttributes } from './attributes.ts';
import { callWebhook, takeVerdict } from './call-webhook.ts';
import { concerns, type Webhook, webhooksOf } from './webhook-rules.ts';

/**
 * Asks the mutating webhooks one after another, each with what the one before made of the object, and those that
 * ask for it once more when a later one changed it (plugin MutatingAdmissionWebhook).
 */
export async function callMutatingWebhooks(
  exchange: Exchange,
  attributes: AdmissionAttributes,
  configurations: readonly KubernetesObject[],
): Promise<KubernetesObject | null> {
  const webhooks = webhooksOf(configurations);
  const called = new Map<Webhook, KubernetesObject | null>();
  let { object } = attributes;
  for (const pass of [1, 2]) {
    const before = object;
    for (const webhook of webhooks) {
      if (pass === 2 && !isAskedAgain(webhook, called, object)) continue;
      const current = { ...attributes, object };
      if (!concerns(webhook, exchange, current)) continue;
      const response = await callWebhook(exchange, webhook, current);
      if (response !== undefined) {
        takeVerdict(exchange, webhook, response);
        object = patched(exchange, webhook, response, object);
      }
      called.set(webhook, object);
    }
    if (pass === 1 && sameJson(before, object)) break;
  }
  return object;
}

function isAskedAgain(
  webhook: Webhook,
  called: ReadonlyMap<Webhook, KubernetesObject | null>,
  object: KubernetesObject | null,
): boolean {
  return (
    member(webhook.object, 'reinvocationPolicy') === 'IfNeeded' &&
    called.has(webhook) &&
    !sameJson(called.get(webhook), object)
  );
}

function patched(
  { machinery }: Exchange,
  { name }: Webhook,
  response: KubernetesObject,
  object: KubernetesObject | null,
): KubernetesObject | null {
  const patch = member(response, 'patch');
  if (typeof patch !== 'string' || patch === '' || object === null) return object;
  let operations: readonly PatchOperation[];
  try {
    const bytes = Uint8Array.from(atob(patch), (character) => character.charCodeAt(0));
    operations = JSON.parse(new TextDecoder().decode(bytes)) as readonly PatchOperation[];
  } catch (error) {
    throw internalError(`failed calling webhook "${name}": ${String(error)}`);
  }
  const result = applyJsonPatch(object as Json, operations);
  if (result.outcome !== 'patched') {
    const why = result.outcome === 'error' ? result.message : 'testing value failed';
    throw internalError(why);
  }
  const { object: decoded, error } = decode(machinery.cluster.schemas, result.document);
  if (decoded === undefined) throw internalError(error ?? '');
  return plainJson(decoded) as KubernetesObject;
}
