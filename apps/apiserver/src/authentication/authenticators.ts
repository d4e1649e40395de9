import type { TokenReviewer } from '@kubeadmit/apiserver';
import { readText } from '../configuration/read-text.ts';
import type { ServerOptions } from '../configuration/server-options.ts';
import {
  authenticateToken,
  type TokenAuthentication,
  type TokenAuthenticator,
  type UserTokens,
} from './authenticator.ts';
import { OidcTokens } from './oidc.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';
import { TokenFile } from './token-file.ts';

/** Returns the token authenticators in the order in which they are tried. */
export async function tokenAuthentication(
  options: Pick<ServerOptions, 'oidc' | 'tokenFile'>,
  serviceAccounts: ServiceAccountTokens,
  now: () => number,
): Promise<TokenAuthentication> {
  // A file that is not there would be found out with the first token.
  if (options.oidc?.caFile !== undefined) await readText(options.oidc.caFile);
  const { audiences } = serviceAccounts;
  const file = options.tokenFile === undefined ? [] : [await TokenFile.read(options.tokenFile)];
  const oidc = options.oidc ? [new OidcTokens(options.oidc, now)] : [];
  return {
    audiences,
    authenticators: [
      ...file.map((tokens) => forServer(tokens, audiences)),
      serviceAccounts,
      ...oidc.map((tokens) => forServer(tokens, audiences)),
    ],
  };
}

/** Makes tokens without audiences valid for those of the server (apiserver authenticator `authenticateAgnosticToken`). */
function forServer(tokens: UserTokens, own: readonly string[]): TokenAuthenticator {
  return {
    async authenticate(token, wanted) {
      const audiences = own.filter((audience) => wanted.includes(audience));
      if (audiences.length === 0) return undefined;
      const user = await tokens.authenticate(token);
      return user && { user, audiences };
    },
  };
}

/** Reviews tokens with the same authenticators as requests. */
export function tokenReviewer({ authenticators, audiences }: TokenAuthentication): TokenReviewer {
  return {
    async review(spec) {
      const { token = '', audiences: given = [] } = spec as ReviewSpec;
      const wanted = given.length > 0 ? given : audiences;
      const found = await authenticateToken(token, authenticators, wanted);
      if ('user' in found) {
        return { authenticated: true, user: { ...found.user }, audiences: found.audiences };
      }
      const problems = [...new Set(['invalid bearer token', ...found.problems])];
      return { user: {}, error: problems.length > 1 ? `[${problems.join(', ')}]` : problems[0] };
    },
  };
}

interface ReviewSpec {
  readonly token?: string;
  readonly audiences?: readonly string[];
}
