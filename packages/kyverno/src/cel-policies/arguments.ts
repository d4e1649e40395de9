import { describeValue, hasMembers } from '@kubeadmit/base';

/**
 * Requires a compiled policy and a request: a policy that is not compiled has nothing to say.
 *
 * @throws TypeError with the name of the function, what it takes, and what it got
 */
export function requireCelArguments(call: string, policy: unknown, request: unknown): void {
  if (!hasMembers(policy) || !Array.isArray(policy['specs'])) {
    throw new TypeError(
      `${call}: expected a result of \`compileCelPolicy\`, got ${describeValue(policy)}`,
    );
  }
  if (hasMembers(request) && hasMembers(request['attributes']) && hasMembers(request['sources']))
    return;
  const members = '`attributes` and `sources`';
  throw new TypeError(`${call}: expected a request with ${members}, got ${describeValue(request)}`);
}
