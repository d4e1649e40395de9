import type { AuthorizerUser, UserInfo } from '@kubeadmit/engine';

/** A user as authorizers see them. */
export function authorizerUser({ username = '', uid, groups, extra }: UserInfo): AuthorizerUser {
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    ...(groups ? { groups } : {}),
    ...(extra ? { extra } : {}),
  };
}
