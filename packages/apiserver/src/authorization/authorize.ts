import type { AuthorizerAttributes, UserInfo } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import { ApiError } from '../errors/api-error.ts';
import { forbiddenError } from '../errors/failures.ts';
import type { Exchange } from '../machinery.ts';
import type { RequestInfo } from '../routing/request-info.ts';
import { authorizerUser } from './authorizer-user.ts';

/** Throws the 403 of a request that its user may not make (apiserver filters.WithAuthorization). */
export function authorize({ machinery, info, request, annotations }: Exchange): void {
  const { decision, reason, error } = machinery.cluster.authorizer.authorize(
    attributesOf(info, request.user),
  );
  annotations['authorization.k8s.io/decision'] = decision === 'allow' ? 'allow' : 'forbid';
  annotations['authorization.k8s.io/reason'] = reason;
  if (decision !== 'allow') throw refusal(info, request.user, error ?? reason);
}

/**
 * Throws the 403 of a request whose user lacks a second verb on the same resource, such as `create` for an update that
 * creates the object (handlers `withAuthorization`).
 */
export function authorizeVerb({ machinery, info, request }: Exchange, verb: string): void {
  const needed = { ...info, verb };
  const { decision, reason, error } = machinery.cluster.authorizer.authorize(
    attributesOf(needed, request.user),
  );
  if (decision !== 'allow') throw refusal(needed, request.user, error ?? reason);
}

/** What an authorizer is asked about a request. */
export function attributesOf(info: RequestInfo, user: UserInfo): AuthorizerAttributes {
  if (!info.isResource) {
    return { kind: 'path', user: authorizerUser(user), verb: info.verb, path: info.path };
  }
  const { verb, group, resource, subresource, namespace, name } = info;
  return {
    kind: 'resource',
    user: authorizerUser(user),
    verb,
    group,
    resource,
    subresource,
    namespace,
    name,
  };
}

/** The 403 of a request that a user may not make. */
export function refusal(info: RequestInfo, { username = '' }: UserInfo, reason: string): ApiError {
  const user = quote(username);
  if (!info.isResource) {
    const text = `User ${user} cannot ${info.verb} path ${quote(info.path)}`;
    return escaped(forbiddenError({ group: '', name: '' }, '', withReason(text, reason)));
  }
  const { verb, group, resource, subresource, namespace, name } = info;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  const text = `User ${user} cannot ${verb} resource ${quote(combined)} in API group ${quote(group)} ${where}`;
  return escaped(forbiddenError({ group, name: resource }, name, withReason(text, reason)));
}

function withReason(text: string, reason: string): string {
  return reason === '' ? text : `${text}: rbac: ${reason}`;
}

// The server escapes what browsers could take for markup (responsewriters.Forbidden).
function escaped({ status }: ApiError): ApiError {
  const message = (status.message ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return new ApiError({ ...status, message });
}
