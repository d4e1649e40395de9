import type { UserInfo } from '@kubeadmit/engine';

/** Whom requests are made as. */
export interface RequestUser {
  /** Such as `jane`, or `system:serviceaccount:shop:deployer`. */
  readonly name: string;
  /** Such as `system:authenticated`. */
  readonly groups?: readonly string[] | undefined;
  /** The identity that outlives the name. */
  readonly uid?: string | undefined;
  /** What the authenticator says besides. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
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
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    groups: all,
    ...(extra === undefined ? {} : { extra }),
  };
}

function ownGroups(name: string): readonly string[] {
  if (name === 'kubernetes-admin') return ['system:masters'];
  const namespace = serviceAccount.exec(name)?.[1];
  return namespace === undefined
    ? []
    : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}
