import { isIP } from 'node:net';

/** The origin of a request and the host that it addresses. */
export interface RequestOrigin {
  readonly host: string;
  readonly origin: string | undefined;
}

/**
 * Returns why a request is rejected that a web page of another site may have sent; `undefined` for all others.
 *
 * Clients of the API send no `Origin`, and address the server by an IP address or by a name in its certificate.
 */
export function foreignRequestProblem(
  { host, origin }: RequestOrigin,
  isOwnName: (name: string) => boolean,
): string | undefined {
  const name = hostName(host);
  if (isIP(name) === 0 && !isOwnName(name)) {
    return `unknown host ${JSON.stringify(name)}`;
  }
  if (origin !== undefined && origin !== `https://${host}`) {
    return `origin ${JSON.stringify(origin)} is not allowed`;
  }
  return undefined;
}

function hostName(host: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(host);
  return (bracketed?.[1] ?? host.replace(/:\d+$/, '')).toLowerCase();
}
