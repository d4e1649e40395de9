import { DownloadError } from './download.ts';

/** The token that a registry requires. */
export interface TokenChallenge {
  /** The URL that returns the token. */
  readonly realm: string;
  readonly service: string;
  readonly scope: string;
}

/**
 * Reads the challenge `Bearer realm="…",service="…",scope="…"`.
 *
 * @throws DownloadError for another kind of authentication
 */
export function readTokenChallenge(challenge: string): TokenChallenge {
  const fields = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  const { realm, service = '', scope = '' } = fields;
  if (/^bearer /i.test(challenge) && realm !== undefined) return { realm, service, scope };
  throw new DownloadError('the registry requires an unsupported kind of authentication');
}
