import 'reflect-metadata';
import { type webcrypto, X509Certificate } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type GeneralNameType,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509Certificate as ParsedCertificate,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { CertificatePair } from './pair.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMilliseconds = 86_400_000;
const authorityDays = 3650;
const certificateDays = 365;
// Clocks of a cluster differ a little.
const earlierMilliseconds = 300_000;

/** Makes an authority of our own, with its key. */
export async function makeAuthority(now: number): Promise<CertificatePair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=kubeadmit webhook authority ${new Date(now).toISOString().slice(0, 10)}`,
    serialNumber: serialNumber(),
    keys,
    signingAlgorithm: algorithm,
    ...validity(now, authorityDays),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await keyText(keys.privateKey) };
}

/** Makes a certificate for DNS names and addresses, signed by an authority. */
export async function makeCertificate(
  authority: CertificatePair,
  names: readonly string[],
  now: number,
  use: 'server' | 'client' = 'server',
): Promise<CertificatePair> {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const issuer = new ParsedCertificate(authority.certificate);
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${names[0] ?? 'localhost'}`,
    issuer: issuer.subject,
    serialNumber: serialNumber(),
    publicKey: keys.publicKey,
    signingKey: await readKey(authority.key),
    signingAlgorithm: algorithm,
    ...validity(now, certificateDays),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([
        use === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth,
      ]),
      new SubjectAlternativeNameExtension(names.map(alternativeName)),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await keyText(keys.privateKey) };
}

/** Whether a third of a certificate's life or less is left. */
export function isDueForRenewal(certificate: string, now: number): boolean {
  const { validFrom, validTo } = new X509Certificate(certificate);
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)];
  return to - now <= (to - from) / 3;
}

/** Whether a certificate is for all of these names and signed by an authority that holds. */
export function isCertificateFor(
  certificate: string,
  authority: string,
  names: readonly string[],
): boolean {
  const parsed = new X509Certificate(certificate);
  const issuer = new X509Certificate(authority);
  return (
    parsed.checkIssued(issuer) &&
    parsed.verify(issuer.publicKey) &&
    names.every((name) => (isAddress(name) ? parsed.checkIP(name) : parsed.checkHost(name)))
  );
}

function validity(
  now: number,
  days: number,
): { readonly notBefore: Date; readonly notAfter: Date } {
  return {
    notBefore: new Date(now - earlierMilliseconds),
    notAfter: new Date(now + days * dayMilliseconds),
  };
}

function alternativeName(name: string): { readonly type: GeneralNameType; readonly value: string } {
  return { type: isAddress(name) ? 'ip' : 'dns', value: name };
}

function isAddress(name: string): boolean {
  return /^[\d.]+$/.test(name) || name.includes(':');
}

function serialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Positive and of full length.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

async function keyText(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}

async function readKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [bytes] = PemConverter.decode(pem);
  if (bytes === undefined) throw new Error('the key of the authority is no PEM');
  return crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
}
