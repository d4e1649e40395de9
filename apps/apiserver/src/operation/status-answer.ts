import type { ApiResponse } from '@kubeadmit/apiserver';

/** A Status for requests that are rejected before they reach the API. */
export function statusAnswer(
  code: number,
  reason: string,
  message: string,
  details?: Readonly<Record<string, unknown>>,
): ApiResponse {
  return {
    status: code,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-cache, private',
      'x-content-type-options': 'nosniff',
    },
    body: {
      type: 'object',
      mediaType: 'application/json',
      isPretty: false,
      value: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason,
        ...(details === undefined ? {} : { details }),
        code,
      },
    },
  };
}

/** A text, as for health and metrics. */
export function textAnswer(
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): ApiResponse {
  return {
    status,
    headers: {
      'content-type': type,
      'cache-control': 'no-cache, private',
      'x-content-type-options': 'nosniff',
    },
    body: { type: 'text', text },
  };
}
