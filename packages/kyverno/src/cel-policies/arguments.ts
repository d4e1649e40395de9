import { describeValue, hasMembers } from '@kubeadmit/base';

/**
 * Requires a compiled policy and a request: a policy that is not compiled has nothing to say.
 *
 * @throws TypeError that names the function, the expected value and the actual one
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
