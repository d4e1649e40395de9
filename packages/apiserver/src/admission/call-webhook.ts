import { type KubernetesObject, member, type Status } from '@kubeadmit/apimachinery';
import { ApiError } from '../errors/api-error.ts';
import { internalError } from '../errors/failures.ts';
import type { Exchange } from '../machinery.ts';
import { type AdmissionAttributes, admissionRequest } from './attributes.ts';
import type { Webhook } from './webhook-rules.ts';

const defaultTimeout = 10;

/**
 * Calls a webhook and gives its answer (AdmissionResponse), or undefined when it failed and its failure policy
 * ignores that; throws when the policy does not.
 */
export async function callWebhook(
  exchange: Exchange,
  webhook: Webhook,
  attributes: AdmissionAttributes,
): Promise<KubernetesObject | undefined> {
  const { options } = exchange.machinery;
  const { object } = webhook;
  const versions = member(object, 'admissionReviewVersions');
  const version = Array.isArray(versions) && !versions.includes('v1') ? 'v1beta1' : 'v1';
  const uid = options.randomUid();
  const review = {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: { ...admissionRequest(exchange, attributes), uid },
  };
  try {
    if (options.webhooks === undefined) throw new Error('this server does not call webhooks');
    const answer = await options.webhooks.call({
      clientConfig: (member(object, 'clientConfig') ?? {}) as KubernetesObject,
      review,
      timeoutSeconds: Number(member(object, 'timeoutSeconds') ?? defaultTimeout),
      signal: exchange.request.signal,
    });
    return readResponse(answer, uid);
  } catch (error) {
    if (member(object, 'failurePolicy') === 'Ignore') return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw internalError(`failed calling webhook "${webhook.name}": ${why}`);
  }
}

function readResponse(answer: KubernetesObject, uid: string): KubernetesObject {
  const response = member(answer, 'response');
  if (typeof response !== 'object' || response === null) {
    throw new Error('received invalid webhook response: webhook response was absent');
  }
  const own = member(response, 'uid');
  if (own !== uid) {
    throw new Error(
      `received invalid webhook response: expected response.uid="${uid}", got "${String(own ?? '')}"`,
    );
  }
  return response as KubernetesObject;
}

/** Takes over what an answer says besides its verdict, and throws where it refuses the request. */
export function takeVerdict(
  exchange: Exchange,
  webhook: Webhook,
  response: KubernetesObject,
): void {
  const annotations = member(response, 'auditAnnotations');
  for (const [key, value] of Object.entries((annotations ?? {}) as Record<string, string>)) {
    exchange.annotations[`${webhook.name}/${key}`] = value;
  }
  const warnings = member(response, 'warnings');
  if (Array.isArray(warnings)) exchange.warnings.push(...(warnings as string[]));
  if (member(response, 'allowed') === true) return;
  const given = member(response, 'status');
  const message = member(given, 'message');
  const reason = member(given, 'reason');
  const denied = `admission webhook "${webhook.name}" denied the request`;
  const text =
    typeof message === 'string' && message !== ''
      ? `${denied}: ${message}`
      : typeof reason === 'string' && reason !== ''
        ? `${denied}: ${reason}`
        : `${denied} without explanation`;
  const code = Number(member(given, 'code') ?? 0);
  const status: Status = {
    metadata: {},
    status: 'Failure',
    message: text,
    ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
    code: code >= 400 && code < 600 ? code : 403,
  };
  throw new ApiError(status);
}
