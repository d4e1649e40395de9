import type { UserInfo } from '@kubeadmit/engine';
import type { ClientCertificate } from './client-certificate.ts';

/** The credentials of a request. */
export interface Credentials {
  /** The token of an `Authorization: Bearer` header. */
  readonly token?: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
}

/** Knows the users of some tokens. */
export interface TokenAuthenticator {
  /** Returns the user of a token, or `undefined` if the token is unknown or invalid. */
  authenticate(token: string, audiences?: readonly string[]): Promise<UserInfo | undefined>;
}

/** The user of requests that bring no credentials. */
const anonymous: UserInfo = {
  username: 'system:anonymous',
  groups: ['system:unauthenticated'],
};

/**
 * Returns the user of a request by its certificate or token, in this order, or `undefined` for invalid credentials
 * (401).
 *
 * As in kube-apiserver, all known users are also in the group `system:authenticated`.
 */
export async function authenticate(
  { token, certificate }: Credentials,
  authenticators: readonly TokenAuthenticator[],
): Promise<UserInfo | undefined> {
  if (certificate?.user) return authenticated(certificate.user);
  if (token !== undefined) {
    for (const authenticator of authenticators) {
      const user = await authenticator.authenticate(token);
      if (user) return authenticated(user);
    }
    return undefined;
  }
  return certificate ? undefined : anonymous;
}

/** Returns the token of an `Authorization` header as kube-apiserver finds it; `undefined` for other schemes. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

function authenticated(user: UserInfo): UserInfo {
  const groups = user.groups ?? [];
  const isListed = groups.includes('system:authenticated') || user.username === anonymous.username;
  return isListed ? user : { ...user, groups: [...groups, 'system:authenticated'] };
}
