import type { AuthorizerAttributes, AuthorizerDecision, UserInfo } from '@kubeadmit/engine';
import { quote } from '@kubeadmit/go';
import type { ApiError } from '../errors/api-error.ts';
import { forbiddenError } from '../errors/failures.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { authorizerUser } from './authorizer-user.ts';

/** Throws the 403 of a request that its user may not make (apiserver filters.WithAuthorization). */
export function authorize(exchange: Exchange): void {
  const { info, request, annotations } = exchange;
  const decided = decideRequest(exchange, info);
  const isAllowed = decided.decision === 'allow';
  annotations['authorization.k8s.io/decision'] = isAllowed ? 'allow' : 'forbid';
  annotations['authorization.k8s.io/reason'] = decided.reason;
  if (!isAllowed) throw refusal(info, request.user, reasonOf(decided));
}

/**
 * Throws the 403 of a request whose user lacks a second verb on the same resource, such as `create` for an update that
 * creates the object (handlers `withAuthorization`).
 */
export function authorizeVerb(exchange: Exchange, verb: string): void {
  const needed = { ...exchange.info, verb };
  const decided = decideRequest(exchange, needed);
  if (decided.decision !== 'allow') {
    throw refusal(needed, exchange.request.user, reasonOf(decided));
  }
}

/** Asks the authorizer whether the user may make a request: the one that was sent, or one with other members. */
export function decideRequest(
  { machinery, request }: Exchange,
  info: RequestInfo,
): AuthorizerDecision {
  return machinery.cluster.authorizer.authorize(attributesOf(info, request.user));
}

function attributesOf(info: RequestInfo, user: UserInfo): AuthorizerAttributes {
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

/** Returns why an authorizer does not allow a request; empty if it does not say why. */
export function reasonOf({ reason, error }: AuthorizerDecision): string {
  const text = error ?? reason;
  return text === '' ? '' : `rbac: ${text}`;
}

/** Returns the 403 of a request that a user may not make (responsewriters.ForbiddenStatusError). */
export function refusal(info: RequestInfo, { username = '' }: UserInfo, reason: string): ApiError {
  const user = quote(username);
  if (!info.isResource) {
    const text = `User ${user} cannot ${info.verb} path ${quote(info.path)}`;
    return forbiddenError({ group: '', name: '' }, '', withReason(text, reason));
  }
  const { verb, group, resource, subresource, namespace, name } = info;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${quote(namespace)}`;
  const text = `User ${user} cannot ${verb} resource ${quote(combined)} in API group ${quote(group)} ${where}`;
  return forbiddenError({ group, name: resource }, name, withReason(text, reason));
}

// The server escapes markup in the text that names the request, and nowhere else.
function withReason(text: string, reason: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return reason === '' ? escaped : `${escaped}: ${reason}`;
}
