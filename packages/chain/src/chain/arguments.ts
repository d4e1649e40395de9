import { describeValue, hasMembers, requireOptions } from '@kubeadmit/base';

/**
 * Requires a chain.
 *
 * @throws TypeError when it is something else, such as the promise of one.
 */
export function requireChain(call: string, chain: unknown): void {
  if (hasMembers(chain) && hasMembers(chain['cluster']) && 'bindings' in chain) return;
  throw new TypeError(
    `${call}: expected a chain from \`await prepareChain({ … })\`, got ${describeValue(chain)}`,
  );
}

/**
 * Requires a request that was read.
 *
 * @throws TypeError when it is something else, such as the request itself, or why it could not be read.
 */
export function requireRead(call: string, given: unknown): void {
  if (hasMembers(given) && hasMembers(given['prepared']) && 'chain' in given) return;
  const failure = hasMembers(given) ? given['failure'] : undefined;
  const what = typeof failure === 'string' ? `the failure \`${failure}\`` : describeValue(given);
  throw new TypeError(`${call}: expected a result of \`readRequest\`, got ${what}`);
}

/** @throws TypeError when the options of a passage are something else. */
export function requirePassOptions(call: string, options: unknown): void {
  if (options !== undefined) requireOptions(call, options, { isOfClient: 'boolean' });
}
