import { stringifyJson } from '@kubeadmit/go';
import { webhookAnnotations } from './audit-keys.ts';
import type { ReviewDecision } from './decide-review.ts';
import { webhookDenial } from './denial.ts';
import type { Review } from './read-review.ts';

/** The text of the AdmissionReview that answers a review. */
export function writeAnswer(
  { apiVersion, request }: Review,
  { denial, operations, warnings, auditAnnotations }: ReviewDecision,
): string {
  const response = {
    uid: request.uid,
    allowed: denial === undefined,
    ...(denial === undefined ? {} : { status: webhookDenial(denial) }),
    ...(operations.length === 0
      ? {}
      : {
          patch: Buffer.from(stringifyJson(operations)).toString('base64'),
          patchType: 'JSONPatch',
        }),
    ...(auditAnnotations === undefined
      ? {}
      : { auditAnnotations: webhookAnnotations(auditAnnotations) }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  return JSON.stringify({ apiVersion, kind: 'AdmissionReview', response });
}
