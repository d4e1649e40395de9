import { joinPaths, unescapePath } from '@kubeadmit/go';
import { recentRegex } from '@kubeadmit/go/unstable-internal';

// Go's expression in Go's engine, since the policy's author controls the path.
const namespacedPath = '^/api(s)?/.*?/namespaces/([^/]+)/?.*$';

/**
 * Why a policy in a namespace may not read a path of the API: a `Policy` reads its own namespace only. Undefined for
 * paths that it may read, and for policies of the cluster. The check of Kyverno's `apiCall.Fetch`.
 */
export function foreignPathProblem(urlPath: string, policyNamespace: string): string | undefined {
  if (policyNamespace === '') return undefined;
  const path = joinPaths(unescapePath(urlPath) ?? urlPath) || '.';
  const namespace = namespaceOf(path);
  if (namespace === undefined) {
    return `path ${path} does not contain a namespace segment, which is required for namespaced policies`;
  }
  return namespace === policyNamespace
    ? undefined
    : `path ${path} refers to namespace ${namespace}, which is different from the policy namespace ${policyNamespace}`;
}

function namespaceOf(path: string): string | undefined {
  const regex = recentRegex(namespacedPath);
  if ('error' in regex) return undefined;
  return regex.matches(path)[0]?.groups[2];
}
