import type { UserInfo } from '@kubeadmit/engine';
import type { ClientCertificate } from './client-certificate.ts';

/** The credentials of a request. */
export interface Credentials {
  /** The token of an `Authorization: Bearer` header. */
  readonly token?: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
}

/** The user of a valid token. */
export interface TokenUser {
  readonly user: UserInfo;
  /** Those of the wanted audiences that the token is for. */
  readonly audiences: readonly string[];
}

/** Knows the users of some tokens. */
export interface TokenAuthenticator {
  /**
   * Returns the user of a token that is for one of the audiences; `undefined` or the problem if the token is unknown or
   * invalid.
   */
  authenticate(
    token: string,
    audiences: readonly string[],
  ): Promise<TokenUser | { readonly problem: string } | undefined>;
}

/** Knows the users of tokens that name no audience of a cluster. */
export interface UserTokens {
  /** Returns the user of a token, or `undefined` if the token is unknown or invalid. */
  authenticate(token: string): Promise<UserInfo | undefined>;
}

/** Tokens, and the audiences that this server has. */
export interface TokenAuthentication {
  /** The authenticators in the order in which they are tried. */
  readonly authenticators: readonly TokenAuthenticator[];
  readonly audiences: readonly string[];
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
  { authenticators, audiences }: TokenAuthentication,
): Promise<UserInfo | undefined> {
  if (certificate?.user) return authenticated(certificate.user);
  if (token !== undefined) {
    const found = await authenticateToken(token, authenticators, audiences);
    return 'user' in found ? found.user : undefined;
  }
  return certificate ? undefined : anonymous;
}

/** Returns the user of a token for some audiences, or the problems of the authenticators. */
export async function authenticateToken(
  token: string,
  authenticators: readonly TokenAuthenticator[],
  audiences: readonly string[],
): Promise<TokenUser | { readonly problems: readonly string[] }> {
  const problems: string[] = [];
  for (const authenticator of authenticators) {
    const found = await authenticator.authenticate(token, audiences);
    if (found === undefined) continue;
    if ('user' in found) return { ...found, user: authenticated(found.user) };
    problems.push(found.problem);
  }
  return { problems };
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
