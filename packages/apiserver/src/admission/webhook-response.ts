import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { decodeBase64, decodeUtf8Leniently, quote } from '@kubeadmit/go';

/** The answer of a webhook to a review. */
export interface WebhookResponse {
  readonly isAllowed: boolean;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** The Status of a refusal, as the webhook gave it. */
  readonly result: unknown;
  /** A JSON patch as text; empty for none. */
  readonly patch: string;
  /** `JSONPatch` where there is a patch, or a type that is not known. */
  readonly patchType: string;
}

/** Facts about the review that was sent. */
export interface ReviewSent {
  readonly uid: string;
  readonly version: 'v1' | 'v1beta1';
  readonly isMutating: boolean;
}

/**
 * Reads the answer to a review; throws an Error with the reason if it is invalid (webhook/request
 * `VerifyAdmissionResponse`).
 */
export function readResponse(
  review: KubernetesObject,
  { uid, version, isMutating }: ReviewSent,
): WebhookResponse {
  const response = member(review, 'response');
  if (typeof response !== 'object' || response === null) {
    throw new Error('webhook response was absent');
  }
  const patch = patchOf(response);
  if (version === 'v1') {
    const own = String(member(response, 'uid') ?? '');
    if (own !== uid) throw new Error(`expected response.uid=${quote(uid)}, got ${quote(own)}`);
    checkPatch(response, isMutating);
  }
  const warnings = member(response, 'warnings');
  return {
    isAllowed: member(response, 'allowed') === true,
    auditAnnotations: (member(response, 'auditAnnotations') ?? {}) as Record<string, string>,
    warnings: Array.isArray(warnings) ? (warnings as string[]) : [],
    result: member(response, 'status'),
    patch: isMutating ? patch : '',
    patchType: version === 'v1' ? String(member(response, 'patchType') ?? '') : 'JSONPatch',
  };
}

function patchOf(response: object): string {
  const patch = member(response, 'patch');
  if (typeof patch !== 'string' || patch === '') return '';
  const bytes = decodeBase64(patch);
  if ('error' in bytes) throw new Error(bytes.error);
  return decodeUtf8Leniently(bytes);
}

function checkPatch(response: object, isMutating: boolean): void {
  const patch = member(response, 'patch') ?? '';
  const type = member(response, 'patchType') ?? undefined;
  if (!isMutating) {
    if (patch !== '') throw new Error('validating webhook may not return response.patch');
    if (type !== undefined) throw new Error('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && type === undefined) {
    throw new Error('webhook returned response.patch but not response.patchType');
  }
  if (patch === '' && type !== undefined) {
    throw new Error('webhook returned response.patchType but not response.patch');
  }
  if (type === '') throw new Error('webhook returned invalid response.patchType of ""');
}
