import { parseDuration } from '@kubeadmit/go/internal';
import { badRequest } from '../errors/failures.ts';

/**
 * Throws the 400 for an invalid `timeout` of a request (apiserver `filters.WithRequestDeadline`); watches use
 * `timeoutSeconds` instead.
 */
export function checkTimeout(query: URLSearchParams): void {
  const given = query.get('timeout') ?? '';
  const timeout = given === '' ? 0n : parseDuration(given);
  if (typeof timeout === 'bigint') return;
  throw badRequest(`invalid timeout specified in the request URL - ${timeout.error}`);
}
