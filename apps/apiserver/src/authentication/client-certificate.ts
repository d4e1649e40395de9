import { createHash } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { UserInfo } from '@kubeadmit/engine';

/** A certificate that a client showed. */
export interface ClientCertificate {
  /** The user of the certificate; `undefined` if no trusted authority signed it. */
  readonly user?: UserInfo | undefined;
}

const known = new WeakMap<TLSSocket, ClientCertificate | undefined>();

/**
 * The certificate that the client of a connection showed: its common name is the user and its organizations are the
 * groups, as kube-apiserver reads it. Undefined where it showed none.
 */
export function clientCertificateOf(socket: TLSSocket): ClientCertificate | undefined {
  if (known.has(socket)) return known.get(socket);
  const certificate = readCertificate(socket);
  known.set(socket, certificate);
  return certificate;
}

function readCertificate(socket: TLSSocket): ClientCertificate | undefined {
  const { subject, raw } = socket.getPeerCertificate();
  if (subject === undefined) return undefined;
  if (!socket.authorized) return {};
  const username = valuesOf(subject.CN)[0] ?? '';
  if (username === '') return {};
  const fingerprint = createHash('sha256').update(raw).digest('hex');
  return {
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
