import type { JsonObject } from '@kubeadmit/apimachinery';
import { Failure } from '../jmespath/steps/failure.ts';
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
  serialOf: (serial: bigint) => number = doubleOf,
): JsonObject | Failure {
  const block = decodePem(pem);
  if (block === undefined) return new Failure('failed to decode PEM block');
  const isRequest = block.type === 'CERTIFICATE REQUEST';
  if (!isRequest && block.type !== 'CERTIFICATE') {
    return new Failure('PEM block neither contains a CERTIFICATE or CERTIFICATE REQUEST');
  }
  try {
    const { members, key, serial } = isRequest
      ? { ...readCertificateRequest(block.bytes), serial: undefined }
      : readCertificate(block.bytes);
    if ('problem' in key) return new Failure(key.problem);
    const read = { ...members, PublicKey: key.shown };
    return serial === undefined ? read : { ...read, SerialNumber: serialOf(serial) };
  } catch (problem) {
    if (problem instanceof X509Error) return new Failure(problem.message);
    throw problem;
  }
}

/** The number as Go reads it from JSON that it wrote. */
function doubleOf(integer: bigint): number {
  const double = Number(integer);
  if (Number.isFinite(double)) return double;
  throw new X509Error(`json: cannot unmarshal number ${integer} into Go value of type float64`);
}
