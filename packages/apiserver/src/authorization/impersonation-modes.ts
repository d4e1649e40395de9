import { dns1123LabelProblems, dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import type { UserInfo } from '@kubeadmit/engine';
import type { Exchange } from '../machinery/machinery.ts';
import { authorizeVerb, reasonOf, refusal } from './authorize.ts';
import { decideOn, mayDo, type WantedResource } from './authorizer-user.ts';
import { type Extra, extraProblem } from './extra-problem.ts';
import { quotedList } from './rule-coverage.ts';

type Wanted = UserInfo & { readonly username: string };

/**
 * One way to be allowed to impersonate: the user as he will be seen, undefined where the way is not for him; throws
 * the 403 of one who may not.
 */
export type Mode = (exchange: Exchange, wanted: Wanted) => UserInfo | undefined;

const accountPrefix = 'system:serviceaccount:';
const nodePrefix = 'system:node:';
const nodeNameKey = 'authentication.kubernetes.io/node-name';
const many = 4;
const group = 'authentication.k8s.io';

/** The modes of impersonation that also require the permission to act as another user (KEP-5284), in their order. */
export const constrainedModes: readonly Mode[] = [
  associatedNode,
  constrained('arbitrary-node', (wanted) => isOnlyName(wanted) && nodeOf(wanted) !== undefined),
  constrained(
    'serviceaccount',
    (wanted) => isOnlyName(wanted) && accountOf(wanted.username) !== undefined,
  ),
  constrained(
    'user-info',
    (wanted) => nodeOf(wanted) === undefined && accountOf(wanted.username) === undefined,
  ),
];

/** The old way: the verb `impersonate` on users, groups, accounts, uids and extras, for whatever is done. */
export const legacyMode: Mode = (exchange, wanted) =>
  impersonate(exchange, wanted, { verb: 'impersonate', group: '', isConstrained: false });

function constrained(mode: string, isFor: (wanted: Wanted) => boolean): Mode {
  return (exchange, wanted) => {
    if (!isFor(wanted)) return undefined;
    checkAction(exchange, mode);
    return impersonate(exchange, wanted, constrainedRights(mode));
  };
}

function constrainedRights(mode: string): Rights {
  return { verb: `impersonate:${mode}`, group, isConstrained: true };
}

// A service account of a pod may have the right to be the node of that pod.
function associatedNode(exchange: Exchange, wanted: Wanted): UserInfo | undefined {
  const { username = '', extra } = exchange.request.user;
  const [node, ...others] = extra?.[nodeNameKey] ?? [];
  const isAssociated =
    isOnlyName(wanted) &&
    nodeOf(wanted) !== undefined &&
    accountOf(username) !== undefined &&
    others.length === 0 &&
    node === nodeOf(wanted);
  if (!isAssociated) return undefined;
  checkAction(exchange, 'associated-node');
  const named = { ...wanted, username: `${nodePrefix}*` };
  const user = impersonate(exchange, named, constrainedRights('associated-node'));
  return { ...user, username: wanted.username };
}

function isOnlyName({ uid, groups, extra }: Wanted): boolean {
  return !uid && !groups?.length && extra === undefined;
}

/** Requires the permission to perform the request as another user. */
function checkAction(exchange: Exchange, mode: string): void {
  authorizeVerb(exchange, `impersonate-on:${mode}:${exchange.info.verb}`);
}

interface Rights {
  readonly verb: string;
  /** The group of users and groups. */
  readonly group: string;
  readonly isConstrained: boolean;
}

function impersonate(exchange: Exchange, wanted: Wanted, rights: Rights): UserInfo {
  const { username, uid, extra } = wanted;
  const groups = wanted.groups ?? [];
  const own = checkName(exchange, wanted, rights);
  if (uid) checkRight(exchange, rights, { group, resource: 'uids', name: uid });
  checkGroups(exchange, groups, rights);
  checkExtra(exchange, extra ?? {}, rights);
  const isAnonymous = username === 'system:anonymous';
  const status = isAnonymous ? 'system:unauthenticated' : 'system:authenticated';
  const isKnown = own.includes(status) || (!isAnonymous && own.includes('system:unauthenticated'));
  return {
    username,
    ...(uid ? { uid } : {}),
    groups: isKnown ? own : [...own, status],
    ...(extra === undefined ? {} : { extra }),
  };
}

function checkExtra(exchange: Exchange, extra: Extra, rights: Rights): void {
  const right = (subresource: string, name: string): WantedResource => ({
    group,
    resource: 'userextras',
    subresource,
    name,
  });
  if (rights.isConstrained) {
    const problem = extraProblem(extra);
    if (problem !== undefined) throw refusedRight(exchange, rights, right('', ''), problem);
    if (isLarge(extra) && mayDo(exchange, rights.verb, right('*', '*'))) return;
  }
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) checkRight(exchange, rights, right(key, value));
  }
}

function isLarge(extra: Extra): boolean {
  const values = Object.values(extra);
  return values.length >= many || values.flat().length >= many;
}

// Requires the permission for the name; returns its groups.
function checkName(exchange: Exchange, wanted: Wanted, rights: Rights): readonly string[] {
  const { username } = wanted;
  const groups = wanted.groups ?? [];
  const named = username === `${nodePrefix}*` ? '*' : nodeOf(wanted);
  const node = rights.isConstrained ? named : undefined;
  const account = accountOf(username);
  const wantedName: WantedResource = {
    group: rights.group,
    ...(node !== undefined
      ? { resource: 'nodes', name: node }
      : account !== undefined
        ? { resource: 'serviceaccounts', ...account }
        : { resource: 'users', name: username }),
  };
  if (rights.isConstrained && groups.length > 0 && wantedName.resource !== 'users') {
    const what = node === undefined ? 'a service account' : 'a node';
    const why = `when impersonating ${what}, cannot impersonate groups ${quotedList(groups)}`;
    throw refusedRight(exchange, rights, wantedName, why);
  }
  checkRight(exchange, rights, wantedName);
  if (node !== undefined) return ['system:nodes'];
  if (account === undefined || groups.length > 0) return groups;
  return ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
}

function checkGroups(exchange: Exchange, groups: readonly string[], rights: Rights): void {
  const right = (name: string): WantedResource => ({
    group: rights.group,
    resource: 'groups',
    name,
  });
  if (rights.isConstrained && groups.includes('')) {
    const why = 'impersonating the empty string group is not allowed';
    throw refusedRight(exchange, rights, right(''), why);
  }
  if (rights.isConstrained && groups.includes('system:masters')) {
    const why = 'impersonating the system:masters group is not allowed';
    throw refusedRight(exchange, rights, right('system:masters'), why);
  }
  if (rights.isConstrained && groups.length >= many && mayDo(exchange, rights.verb, right('*')))
    return;
  for (const group of groups) checkRight(exchange, rights, right(group));
}

function checkRight(exchange: Exchange, rights: Rights, wanted: WantedResource): void {
  const decided = decideOn(exchange, rights.verb, wanted);
  if (decided.decision !== 'allow') {
    throw refusedRight(exchange, rights, wanted, reasonOf(decided));
  }
}

function refusedRight(
  { info, request }: Exchange,
  { verb }: Rights,
  wanted: WantedResource,
  reason: string,
): Error {
  const asked = { namespace: '', subresource: '', ...wanted, isResource: true, verb };
  return refusal({ ...info, ...asked }, request.user, reason);
}

function nodeOf({ username }: Wanted): string | undefined {
  if (!username.startsWith(nodePrefix)) return undefined;
  const name = username.slice(nodePrefix.length);
  return dns1123SubdomainProblems(name).length === 0 ? name : undefined;
}

function accountOf(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace = '', name = '', ...rest] = username.slice(accountPrefix.length).split(':');
  const isValid =
    rest.length === 0 &&
    name !== '' &&
    dns1123LabelProblems(namespace).length === 0 &&
    dns1123SubdomainProblems(name).length === 0;
  return isValid ? { namespace, name } : undefined;
}
