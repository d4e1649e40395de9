import { describeValue, hasMembers } from '@kubeadmit/base';
import type { RequestAttributes } from '@kubeadmit/engine';

/**
 * Requires the attributes of a request. An AdmissionRequest is rejected, since its core group may be absent.
 *
 * @throws TypeError with the name of the function and the value
 */
export function requireAttributes(
  call: string,
  request: Pick<RequestAttributes, 'resource'>,
): void {
  const resource: unknown = hasMembers(request) ? request.resource : request;
  if (hasMembers(resource) && isText(resource['group']) && isText(resource['resource'])) return;
  throw new TypeError(
    `${call}: expected a request with \`resource: { group, version, resource }\`, got ${describeValue(resource)}`,
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/**
 * Requires a result of `compileMatch`.
 *
 * @throws TypeError that names the function and the actual value
 */
export function requireMatch(call: string, match: unknown): void {
  if (hasMembers(match) && Array.isArray(match['rules']) && hasMembers(match['objectSelector']))
    return;
  throw new TypeError(
    `${call}: expected the result of \`compileMatch\`, got ${describeValue(match)}`,
  );
}

/**
 * Requires an environment of a match: its view of the cluster.
 *
 * @throws TypeError that names the function and the actual value
 */
export function requireEnvironment(call: string, environment: unknown): void {
  if (hasMembers(environment) && typeof environment['equivalents'] === 'function') return;
  throw new TypeError(`${call}: expected a MatchEnvironment, got ${describeValue(environment)}`);
}
