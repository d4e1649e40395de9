import type { TokenReviewer } from '@kubeadmit/apiserver';
import { readText } from '../configuration/read-text.ts';
import type { ServerOptions } from '../configuration/server-options.ts';
import { authenticate, type TokenAuthenticator } from './authenticator.ts';
import { OidcTokens } from './oidc.ts';
import { TokenFile } from './token-file.ts';

/** Returns the token authenticators in the order in which they are tried. */
export async function tokenAuthenticators(
  options: Pick<ServerOptions, 'oidc' | 'tokenFile'>,
  serviceAccounts: TokenAuthenticator,
  now: () => number,
): Promise<readonly TokenAuthenticator[]> {
  // A file that is not there would be found out with the first token.
  if (options.oidc?.caFile !== undefined) await readText(options.oidc.caFile);
  return [
    ...(options.tokenFile === undefined ? [] : [await TokenFile.read(options.tokenFile)]),
    serviceAccounts,
    ...(options.oidc ? [new OidcTokens(options.oidc, now)] : []),
  ];
}

/** Reviews tokens with the same authenticators as requests. */
export function tokenReviewer(authenticators: readonly TokenAuthenticator[]): TokenReviewer {
  return {
    async review(spec) {
      const { token = '' } = spec as { readonly token?: string };
      const user = token === '' ? undefined : await authenticate({ token }, authenticators);
      if (!user) return { user: {}, error: 'invalid bearer token' };
      return { authenticated: true, user: { ...user } };
    },
  };
}
