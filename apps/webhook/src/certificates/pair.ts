import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { errorText } from '@kubeadmit/base';
import type { CertificatePair } from '@kubeadmit/certificates';
import { readErrorText, readText as readLimited } from '@kubeadmit/files';

/** A certificate that cannot be used, and why. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

/**
 * Reads a certificate and its key.
 *
 * @throws CertificateError when one cannot be read, or the key is that of another certificate.
 */
export function readPair(files: CertificatePair): CertificatePair {
  const certificate = readText(files.certificate);
  const key = readText(files.key);
  checkPair({ certificate, key }, files);
  return { certificate, key };
}

function checkPair({ certificate, key }: CertificatePair, files: CertificatePair): void {
  const parsed = parsedOrFailed(files.certificate, () => new X509Certificate(certificate));
  const privateKey = parsedOrFailed(files.key, () => createPrivateKey(key));
  if (!parsed.checkPrivateKey(privateKey)) {
    throw new CertificateError(
      `${files.key}: the key does not match the certificate ${files.certificate}`,
    );
  }
}

function parsedOrFailed<Parsed>(file: string, parse: () => Parsed): Parsed {
  try {
    return parse();
  } catch (error) {
    const reason = errorText(error);
    const isPem = !/no start line|DECODER routines::unsupported/.test(reason);
    throw new CertificateError(
      `${file}: ${isPem ? reason : 'contains no readable PEM data (`-----BEGIN …`)'}`,
    );
  }
}

/**
 * Reads a file of certificates.
 *
 * @throws CertificateError if it cannot be read or contains no certificate
 */
export function readAuthorities(file: string): string {
  const text = readText(file);
  parsedOrFailed(file, () => new X509Certificate(text));
  return text;
}

function readText(file: string): string {
  try {
    return readLimited(file);
  } catch (error) {
    throw new CertificateError(`${file}: ${readErrorText(error)}`);
  }
}

/** Why a client that connects by a name refuses the first certificate of a PEM text; empty if it accepts it. */
export function refusalOf(certificate: string, names: readonly string[], now: number): string {
  const parsed = new X509Certificate(certificate);
  if (now > Date.parse(parsed.validTo)) return `the certificate expired on ${parsed.validTo}`;
  if (now < Date.parse(parsed.validFrom)) {
    return `the certificate is not valid before ${parsed.validFrom}; check the clock of this machine`;
  }
  const other = names.find(
    (name) => (isIP(name) === 0 ? parsed.checkHost(name) : parsed.checkIP(name)) === undefined,
  );
  if (other === undefined) return '';
  const { subjectAltName } = parsed;
  const valid =
    subjectAltName === undefined ? 'it contains no names' : `only for ${subjectAltName}`;
  return `the certificate is not valid for \`${other}\`, ${valid}`;
}

/**
 * Returns advice to renew the first certificate of a PEM text, or an empty string if it is not due.
 *
 * It is due when a tenth of its life is left; automatic renewal happens when a third is left.
 */
export function renewalOf(certificate: string, now: number): string {
  const { validFrom, validTo } = new X509Certificate(certificate);
  const end = Date.parse(validTo);
  const isDue = end - now < (end - Date.parse(validFrom)) / 10;
  return isDue ? `the certificate expires on ${validTo}; renew it` : '';
}

/** Whether a private key is that of the first certificate; both are PEM texts. */
export function isKeyOf(key: string, certificate: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** The DNS names and addresses of the first certificate of a PEM text. */
export function namesOf(certificate: string): readonly string[] {
  const { subjectAltName = '' } = new X509Certificate(certificate);
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s"]+)/g)].flatMap(
    ([, name]) => name ?? [],
  );
}

/** When the first certificate of a PEM text ends, in milliseconds since 1970. */
export function expiryOf(certificate: string): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}

/** The age of the first certificate of a PEM text, in milliseconds. */
export function ageOf(certificate: string, now: number): number {
  return now - Date.parse(new X509Certificate(certificate).validFrom);
}
