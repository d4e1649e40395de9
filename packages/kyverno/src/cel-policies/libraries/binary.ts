import type { JsonObject } from '@kubeadmit/apimachinery';
import { CelError, type Library, type Value } from '@kubeadmit/cel';
import { decodeUtf8Leniently, gunzip } from '@kubeadmit/go';
import { toCelValue } from '../../cel/cel-value.ts';
import { decodeCertificate } from '../../certificates/decode-certificate.ts';
import { Failure } from '../../jmespath/steps/failure.ts';
import { functionsNamed } from './declare.ts';

/**
 * Compressed texts (Kyverno's `kyverno.gzip`): `gzip.decompress(bytes)`.
 *
 * The bytes of `gzip.compress` depend on the compressor, so evaluating it is an error.
 */
export const gzipLibrary: Library = {
  name: 'kyverno.gzip',
  functions: functionsNamed([
    [
      'gzip.decompress',
      'decompress_bytes_string',
      '(bytes) -> string',
      (bytes: Uint8Array) => {
        const content = gunzip(bytes);
        return 'error' in content ? new CelError(content.error) : decodeUtf8Leniently(content);
      },
    ],
    [
      'gzip.compress',
      'compress_any_bytes',
      '(dyn) -> bytes',
      () => new CelError('gzip.compress is not supported'),
    ],
  ]),
};

/** The members of certificates that expressions see. */
const certificateMembers = [
  'Raw',
  'RawTBSCertificate',
  'RawSubjectPublicKeyInfo',
  'RawSubject',
  'RawIssuer',
  'Signature',
  'PublicKeyAlgorithm',
  'PublicKey',
  'SerialNumber',
  'Issuer',
  'NotBefore',
  'NotAfter',
  'KeyUsage',
  'Extensions',
  'ExtraExtensions',
  'ExtKeyUsage',
  'BasicConstraintsValid',
  'IsCA',
  'MaxPathLen',
  'MaxPathLenZero',
  'AuthorityKeyId',
  'OCSPServer',
  'IssuingCertificateURL',
  'DNSNames',
  'EmailAddresses',
  'IPAddresses',
  'PermittedDNSDomainsCritical',
  'PermittedDNSDomains',
  'ExcludedDNSDomains',
  'PermittedIPRanges',
  'ExcludedIPRanges',
  'PermittedEmailAddresses',
  'ExcludedEmailAddresses',
  'PermittedURIDomains',
  'ExcludedURIDomains',
  'CRLDistributionPoints',
  'PolicyIdentifiers',
];

/** Certificates in PEM (Kyverno's `kyverno.x509`): `x509.decode(text).NotAfter`. */
export const certificateLibrary: Library = {
  name: 'kyverno.x509',
  functions: functionsNamed([['x509.decode', 'x509_decode_string', '(string) -> dyn', decode]]),
};

function decode(pem: string): Value {
  const read = decodeCertificate(pem, (serial) => Number(BigInt.asIntN(64, serial)));
  if (read instanceof Failure) return new CelError(read.message);
  // Requests are shown whole, certificates without some of their members.
  if (!Object.hasOwn(read, 'RawTBSCertificate')) return toCelValue(read);
  const shown: JsonObject = {};
  for (const name of certificateMembers) shown[name] = read[name] ?? null;
  return toCelValue(shown);
}
