import { parseDuration, parseInt64, quote } from '@kubeadmit/go';
import { badRequest } from '../errors/failures.ts';

/** A boolean of a query; undefined when it is not there (apimachinery conversion of `*bool`). */
export function booleanOf(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : isTrue(value);
}

/** An integer of 64 bits of a query; undefined when it is not there. */
export function integerOf(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const number = parseInt64(value);
  if (typeof number === 'string') {
    throw badRequest(`strconv.ParseInt: parsing ${quote(value)}: ${number}`);
  }
  return Number(number);
}

// Everything but `0` and `false` (apimachinery conversion of Go's bool).
function isTrue(value: string): boolean {
  return value !== '0' && value.toLowerCase() !== 'false';
}

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
