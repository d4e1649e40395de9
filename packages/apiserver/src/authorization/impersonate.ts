import type { AuthorizerAttributes, UserInfo } from '@kubeadmit/engine';
import { badRequest, forbiddenError } from '../errors/failures.ts';
import type { Exchange } from '../machinery.ts';
import { authorizerUser } from './authorizer-user.ts';

const userHeader = 'impersonate-user';
const groupHeader = 'impersonate-group';
const uidHeader = 'impersonate-uid';
const extraPrefix = 'impersonate-extra-';
const accountPrefix = 'system:serviceaccount:';

/**
 * The user that a request asks to be treated as, or undefined when it asks for none; throws the 403 of one who may
 * not (apiserver filters.WithImpersonation).
 */
export function impersonatedUser(exchange: Exchange): UserInfo | undefined {
  const { headers } = exchange.request;
  const username = headers[userHeader];
  const groups = splitHeader(headers[groupHeader]);
  const uid = headers[uidHeader];
  const extra = extraOf(headers);
  if (username === undefined) {
    if (groups.length === 0 && uid === undefined && Object.keys(extra).length === 0)
      return undefined;
    const list = groups.map((group) => JSON.stringify(group)).join(', ');
    const shown = `&user.DefaultInfo{Name:"", UID:"${uid ?? ''}", Groups:[]string{${list}}, Extra:map[string][]string(nil)}`;
    throw badRequest(`requested ${shown} without impersonating a user name`);
  }
  if (username === '') throw badRequest('no user to impersonate');
  if (username.startsWith(accountPrefix)) {
    const [namespace = '', name = ''] = username.slice(accountPrefix.length).split(':');
    check(exchange, { resource: 'serviceaccounts', name, namespace });
  } else check(exchange, { resource: 'users', name: username });
  for (const group of groups) check(exchange, { resource: 'groups', name: group });
  if (uid !== undefined) {
    check(exchange, { resource: 'uids', name: uid, group: 'authentication.k8s.io' });
  }
  for (const [key, values] of Object.entries(extra)) {
    for (const name of values) {
      check(exchange, {
        resource: 'userextras',
        subresource: key,
        name,
        group: 'authentication.k8s.io',
      });
    }
  }
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: impersonatedGroups(username, groups),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function impersonatedGroups(username: string, given: readonly string[]): readonly string[] {
  const groups = [...given];
  if (groups.length === 0 && username.startsWith(accountPrefix)) {
    const [namespace = ''] = username.slice(accountPrefix.length).split(':');
    groups.push('system:serviceaccounts', `system:serviceaccounts:${namespace}`);
  }
  const isAnonymous = username === 'system:anonymous';
  const status = isAnonymous ? 'system:unauthenticated' : 'system:authenticated';
  if (!groups.includes('system:unauthenticated') && !groups.includes(status)) groups.push(status);
  return groups;
}

interface Wanted {
  readonly resource: string;
  readonly name: string;
  readonly namespace?: string;
  readonly subresource?: string;
  readonly group?: string;
}

function check(
  exchange: Exchange,
  { resource, name, namespace = '', subresource = '', group = '' }: Wanted,
): void {
  const { machinery, request } = exchange;
  const attributes: AuthorizerAttributes = {
    kind: 'resource',
    user: authorizerUser(request.user),
    verb: 'impersonate',
    group,
    resource,
    subresource,
    namespace,
    name,
  };
  const { decision, reason } = machinery.cluster.authorizer.authorize(attributes);
  if (decision !== 'allow') throw refusal(exchange, resource === 'serviceaccounts', reason);
}

// The server names the request that was to be made, and the kind of user that was to make it.
function refusal({ info, request }: Exchange, isAccount: boolean, reason: string): Error {
  const { verb, resource, group, namespace, name, subresource } = info;
  const mode = isAccount ? 'serviceaccount' : 'user-info';
  const user = JSON.stringify(request.user.username ?? '');
  const action = `User ${user} cannot impersonate-on:${mode}:${verb}`;
  const why = reason === '' ? '' : `: rbac: ${reason}`;
  if (!info.isResource) {
    return forbiddenError(
      { group: '', name: '' },
      '',
      `${action} path ${JSON.stringify(info.path)}${why}`,
    );
  }
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const where =
    namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  const text = `${action} resource ${JSON.stringify(combined)} in API group ${JSON.stringify(group)} ${where}${why}`;
  return forbiddenError({ group, name: resource }, name, text);
}

function splitHeader(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function extraOf(
  headers: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, readonly string[]>> {
  const extra: Record<string, readonly string[]> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(extraPrefix)) continue;
    extra[decodeURIComponent(name.slice(extraPrefix.length))] = splitHeader(value);
  }
  return extra;
}
