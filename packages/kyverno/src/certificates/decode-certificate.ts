import type { JsonObject } from '@kubeadmit/apimachinery';
import { Failure } from '../jmespath/failure.ts';
import { readCertificate } from './certificate.ts';
import { readCertificateRequest } from './certificate-request.ts';
import { decodePem } from './pem.ts';
import { X509Error } from './x509-error.ts';

/**
 * An RSA certificate in PEM, or a request to sign one, as the object that Kyverno's `x509_decode` makes of it: Go's
 * `x509.Certificate` or `x509.CertificateRequest` in JSON.
 *
 * @param serialOf the number that is shown for a serial number, of which only 64 bits may count.
 */
export function decodeCertificate(
  pem: string,
  serialOf: (serial: bigint) => number = Number,
): JsonObject | Failure {
  const block = decodePem(pem);
  if (block === undefined) return new Failure('failed to decode PEM block');
  const isRequest = block.type === 'CERTIFICATE REQUEST';
  if (!isRequest && block.type !== 'CERTIFICATE') {
    return new Failure('PEM block neither contains a CERTIFICATE or CERTIFICATE REQUEST');
  }
  try {
    const { members, key } = isRequest
      ? readCertificateRequest(block.bytes)
      : readCertificate(block.bytes, serialOf);
    return 'problem' in key ? new Failure(key.problem) : { ...members, PublicKey: key.shown };
  } catch (problem) {
    if (problem instanceof X509Error) return new Failure(problem.message);
    throw problem;
  }
}
