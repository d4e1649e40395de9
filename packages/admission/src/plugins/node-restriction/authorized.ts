import { authorizerUser } from '../authorizer-user.ts';
import type { PluginCluster, PluginRequest } from '../plugin.ts';

/** A request of a kubelet, and the name of its node. */
export interface NodeRequest {
  readonly request: PluginRequest;
  readonly node: string;
  readonly cluster: PluginCluster;
}

/** Whether the user of a request may use a verb on a resource of its group. */
export function isAuthorized(
  { request, cluster }: NodeRequest,
  asked: { readonly verb: string; readonly resource: string; readonly name: string },
): boolean {
  const { user, namespace, resource } = request;
  const { decision } = cluster.authorizer.authorize({
    kind: 'resource',
    user: authorizerUser(user),
    group: resource.group,
    subresource: '',
    namespace,
    ...asked,
  });
  return decision === 'allow';
}
