import {
  ByteStream,
  crypto,
  EXTENSION_OID_SCT,
  type X509Certificate,
  X509SCTExtension,
} from '@sigstore/core';
import type { TrustedLog } from './trust-root.ts';
import { VerificationFailure } from './verification-failure.ts';

/**
 * Requires that a certificate contains a timestamp of a certificate transparency log (RFC 6962).
 *
 * @throws VerificationFailure if there is none, or none of a trusted log
 */
export function requireCertificateTimestamp(
  certificate: X509Certificate,
  issuer: X509Certificate,
  logs: readonly TrustedLog[],
): void {
  const clone = certificate.clone();
  const at = clone.extensions.findIndex((each) => each.subs[0]?.toOID() === EXTENSION_OID_SCT);
  const [found] = at < 0 ? [] : clone.extensions.splice(at, 1);
  if (found === undefined) {
    throw new VerificationFailure(
      'certificate does not include required embedded SCT and no detached SCT was set',
    );
  }
  const signed = new ByteStream();
  signed.appendView(crypto.digest('sha256', issuer.publicKey));
  const body = clone.tbsCertificate.toDER();
  signed.appendUint24(body.length);
  signed.appendView(body);
  const timestamps = new X509SCTExtension(found).signedCertificateTimestamps;
  const isVerified = timestamps.some((timestamp) =>
    logs.some(
      ({ logID, publicKey }) =>
        Buffer.from(logID).equals(timestamp.logID) && timestamp.verify(signed.buffer, publicKey),
    ),
  );
  if (!isVerified) {
    throw new VerificationFailure('error verifying embedded SCT: no valid SCT found');
  }
}
