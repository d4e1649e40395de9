import {
  defined,
  describeValue,
  type OptionKind,
  requireOptions,
  requireValue,
} from '@kubeadmit/base';
import type { UserInfo } from '@kubeadmit/engine';

/** Whom requests are made as. */
export interface RequestUser {
  /** Such as `jane`, or `system:serviceaccount:shop:deployer`. */
  readonly name: string;
  /** Such as `system:authenticated`. */
  readonly groups?: readonly string[] | undefined;
  /** The identity that outlives the name. */
  readonly uid?: string | undefined;
  /** Additional information from authentication. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

const userMembers: Readonly<Record<keyof RequestUser, OptionKind>> = {
  name: 'string',
  groups: 'list',
  uid: 'string',
  extra: 'object',
};

/**
 * Requires a user: one whose groups are something else would be in none of them.
 *
 * @throws TypeError that begins with the place of the user, such as "admitObject: `user`"
 */
export function requireUser(place: string, user: RequestUser): void {
  requireOptions(place, user, userMembers);
  if (user.name === undefined) throw new TypeError(`${place} has no \`name\``);
  for (const [name, texts] of Object.entries({ groups: user.groups, ...user.extra })) {
    if (texts === undefined) continue;
    requireValue(place, texts, 'list', `a list of strings as \`${name}\``);
    const wrong = texts.findIndex((text) => typeof text !== 'string');
    if (wrong < 0) continue;
    throw new TypeError(
      `${place}: \`${name}[${wrong}]\` must be a string, got ${describeValue(texts[wrong])}`,
    );
  }
}

const authenticated = 'system:authenticated';
const unauthenticated = 'system:unauthenticated';
const serviceAccount = /^system:serviceaccount:([^:]+):[^:]+$/;

/**
 * The user of a request, with the groups that impersonation and authentication add (apiserver
 * endpoints/filters/impersonation.go): those of service accounts where none are given, and
 * `system:authenticated`, or `system:unauthenticated` for `system:anonymous`. The administrator whom kubeadm makes is
 * in `system:masters`.
 */
export function userInfo({ name, groups, uid, extra }: RequestUser): UserInfo {
  const all = [...(groups ?? ownGroups(name))];
  if (!all.includes(authenticated) && !all.includes(unauthenticated)) {
    all.push(name === 'system:anonymous' ? unauthenticated : authenticated);
  }
  return defined({ username: name, uid, groups: all, extra });
}

function ownGroups(name: string): readonly string[] {
  if (name === 'kubernetes-admin') return ['system:masters'];
  const namespace = serviceAccount.exec(name)?.[1];
  return namespace === undefined
    ? []
    : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
