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
 * Requires that a certificate contains timestamps of certificate transparency logs (RFC 6962), all of trusted logs.
 *
 * @throws VerificationFailure if there is none, or one of another log
 */
export function requireCertificateTimestamp(
  certificate: X509Certificate,
  issuer: X509Certificate,
  logs: readonly TrustedLog[],
): void {
  const { timestamps, signed } = timestampsIn(certificate, issuer);
  if (logs.length === 0) throw new VerificationFailure('none of the CTFE keys have been found');
  if (timestamps.length === 0) throw new VerificationFailure('no SCT found');
  for (const timestamp of timestamps) {
    const log = logs.find(({ logID }) => Buffer.from(logID).equals(timestamp.logID));
    if (log === undefined) throw new VerificationFailure(unknownLog);
    if (!timestamp.verify(signed, log.publicKey)) {
      throw new VerificationFailure(
        'error verifying embedded SCT: failed to verify ECDSA signature',
      );
    }
  }
}

/**
 * Requires that a certificate contains the timestamp of a trusted log while the log was in use (sigstore-go's
 * `VerifySignedCertificateTimestamp`).
 *
 * @throws VerificationFailure if there is none
 */
export function requireTrustedTimestamp(
  certificate: X509Certificate,
  issuer: X509Certificate,
  logs: readonly TrustedLog[],
): void {
  const { timestamps, signed } = timestampsIn(certificate, issuer);
  const isTrusted = timestamps.some((timestamp) => {
    const { datetime } = timestamp;
    const log = logs.find(({ logID }) => Buffer.from(logID).equals(timestamp.logID));
    if (log === undefined || datetime < log.validFor.start || datetime > log.validFor.end) {
      return false;
    }
    return timestamp.verify(signed, log.publicKey);
  });
  if (isTrusted) return;
  throw new VerificationFailure('only able to verify 0 SCT entries; unable to meet threshold of 1');
}

/** The timestamps in a certificate, and the bytes that they sign. */
function timestampsIn(certificate: X509Certificate, issuer: X509Certificate) {
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
  return { timestamps, signed: signed.buffer };
}

const unknownLog =
  'ctfe public key not found for payload. Check your TUF root (see cosign initialize) or set a custom key with env var SIGSTORE_CT_LOG_PUBLIC_KEY_FILE';
