import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '@kubeadmit/engine';

/** A certificate that a client showed. */
export interface ClientCertificate {
  /** The user of the certificate; `undefined` if no trusted authority signed it. */
  readonly user?: UserInfo | undefined;
}

interface Shown extends ClientCertificate {
  /** The times between which the certificate is valid, in milliseconds since 1970. */
  readonly validity: readonly [from: number, to: number];
}

const known = new WeakMap<TLSSocket, Shown | undefined>();

/**
 * Returns the certificate that the client of a connection showed: its common name is the user and its organizations are
 * the groups, as kube-apiserver reads it. Returns `undefined` if it showed none.
 *
 * @param now a connection, or a resumed TLS session, may outlive the certificate
 */
export function clientCertificateOf(socket: TLSSocket, now: number): ClientCertificate | undefined {
  if (!known.has(socket)) known.set(socket, readCertificate(socket));
  const shown = known.get(socket);
  if (shown === undefined) return undefined;
  const [from, to] = shown.validity;
  return now >= from && now <= to ? shown : {};
}

function readCertificate(socket: TLSSocket): Shown | undefined {
  const { subject, raw, valid_from: from, valid_to: to } = socket.getPeerCertificate();
  if (subject === undefined) return undefined;
  const validity = [Date.parse(from), Date.parse(to)] as const;
  if (!socket.authorized) return { validity };
  // Go reads the last of several common names.
  const username = valuesOf(subject.CN).at(-1) ?? '';
  if (username === '') return { validity };
  const fingerprint = createHash('sha256').update(raw).digest('hex');
  return {
    validity,
    user: {
      username,
      groups: valuesOf(subject.O),
      extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
    },
  };
}

/** Node returns a string for one value and an array for several, unlike its types. */
function valuesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'string' ? [value] : [];
}
