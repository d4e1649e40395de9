import {
  type GroupVersionKind,
  type GroupVersionResource,
  type KubernetesObject,
  member,
  type Status,
} from '@kubeadmit/apimachinery';
import { errorText } from '@kubeadmit/base';
import { quote } from '@kubeadmit/go';
import { ApiError } from '../errors/api-error.ts';
import { badRequest, internalError } from '../errors/failures.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { type AdmissionAttributes, admissionRequest } from './attributes.ts';
import { readWebhookAnswer } from './read-webhook-answer.ts';
import { readResponse, type WebhookResponse } from './webhook-response.ts';
import type { Webhook } from './webhooks.ts';

const defaultTimeout = 10;

/** A call of a webhook, with the objects as it wants to see them. */
export interface WebhookReview {
  readonly webhook: Webhook;
  readonly attributes: AdmissionAttributes;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly isMutating: boolean;
}

/** A call that failed, for which the failure policy decides. */
export class WebhookFailure extends Error {}

/**
 * Calls a webhook and applies its answer other than the verdict. Throws its denial, or a {@link WebhookFailure}
 * without an answer.
 */
export async function callWebhook(
  exchange: Exchange,
  { webhook, attributes, kind, resource, isMutating }: WebhookReview,
): Promise<WebhookResponse> {
  const { options } = exchange.machinery;
  const { object, name } = webhook;
  if (attributes.isDryRun && !isWithoutSideEffects(object)) {
    throw badRequest(`admission webhook ${quote(name)} does not support dry run`);
  }
  const version = reviewVersion(object);
  const uid = options.randomUid();
  const request = { ...admissionRequest(exchange, attributes), uid, kind, resource };
  const review = { kind: 'AdmissionReview', apiVersion: `admission.k8s.io/${version}`, request };
  if (options.webhooks === undefined) {
    throw new WebhookFailure('this server does not call webhooks');
  }
  let answer: KubernetesObject;
  try {
    const called = await options.webhooks.call({
      clientConfig: (member(object, 'clientConfig') ?? {}) as KubernetesObject,
      review,
      timeoutSeconds: Number(member(object, 'timeoutSeconds') ?? defaultTimeout),
      signal: exchange.request.signal,
    });
    answer = readWebhookAnswer(called, review.apiVersion);
  } catch (error) {
    throw new WebhookFailure(`failed to call webhook: ${errorText(error)}`);
  }
  const response = readVerified(answer, { uid, version, isMutating });
  for (const [key, value] of Object.entries(response.auditAnnotations)) {
    exchange.annotations[`${name}/${key}`] = value;
  }
  exchange.warnings.push(...response.warnings);
  if (!response.isAllowed) throw refusalOf(name, response.result);
  return response;
}

/** The 500 of a call that failed and whose failure policy does not ignore that. */
export function failedCall({ name }: Webhook, { message }: WebhookFailure): ApiError {
  return internalError(`failed calling webhook ${quote(name)}: ${message}`);
}

/** Whether the failure policy of a webhook takes a failed call for a yes. */
export function ignoresFailures({ object }: Webhook): boolean {
  return member(object, 'failurePolicy') === 'Ignore';
}

function isWithoutSideEffects(webhook: KubernetesObject): boolean {
  const effects = member(webhook, 'sideEffects');
  return effects === 'None' || effects === 'NoneOnDryRun';
}

// The first version of reviews that both sides know.
function reviewVersion(webhook: KubernetesObject): 'v1' | 'v1beta1' {
  const versions = member(webhook, 'admissionReviewVersions');
  for (const version of Array.isArray(versions) ? (versions as unknown[]) : []) {
    if (version === 'v1' || version === 'v1beta1') return version;
  }
  throw new WebhookFailure(
    'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
  );
}

function readVerified(
  answer: KubernetesObject,
  sent: Parameters<typeof readResponse>[1],
): WebhookResponse {
  try {
    return readResponse(answer, sent);
  } catch (error) {
    throw new WebhookFailure(`received invalid webhook response: ${errorText(error)}`);
  }
}

/** The rejection by a webhook, with the content of its Status (apiserver webhook/errors `ToStatusErr`). */
function refusalOf(name: string, result: unknown): ApiError {
  const given = (typeof result === 'object' && result !== null ? result : {}) as Partial<Status>;
  const { message, reason, code, details } = given;
  const denied = `admission webhook ${quote(name)} denied the request`;
  const why = message || reason;
  return new ApiError({
    metadata: {},
    status: 'Failure',
    message: why ? `${denied}: ${why}` : `${denied} without explanation`,
    ...(reason ? { reason } : {}),
    ...(details ? { details } : {}),
    code: code !== undefined && code >= 400 ? code : 400,
  });
}
