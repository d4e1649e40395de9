import type { Endpoint } from '@kubeadmit/admission/writes';
import { pathSegmentProblems } from '@kubeadmit/apimachinery/names';
import { quote } from '@kubeadmit/go';
import { badRequest } from '../errors/failures.ts';

export {
  type Endpoint,
  endpointOf,
  findEndpoint,
  isCore,
  isServed,
  storedEndpoint,
} from '@kubeadmit/admission/writes';

/**
 * Returns the key of an object in the store. Throws the 400 of a name that cannot be a path segment (registry
 * `NamespaceKeyFunc`).
 */
export function keyOf({ resource, keyPrefix }: Endpoint, namespace: string, name: string): string {
  const problems = pathSegmentProblems(name);
  if (problems.length > 0) {
    throw badRequest(`Name parameter invalid: ${quote(name)}: ${problems.join(';')}`);
  }
  return resource.namespaced ? `${keyPrefix}${namespace}/${name}` : keyPrefix + name;
}
