import { requireOptions } from '@kubeadmit/base';
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { isAddress } from './names.ts';

/** A certificate and its key, both as PEM. */
export interface CertificatePair {
  /** PEM. */
  readonly certificate: string;
  /** PEM. */
  readonly key: string;
}

/** Whom a certificate is for. */
export type CertificateSubject =
  /** A server, known by its names. */
  | {
      readonly type: 'server';
      /** The common name (`CN`) of the subject. Clients check only the names below. */
      readonly commonName: string;
      /** DNS names and addresses. */
      readonly names: readonly string[];
    }
  /** A client: kube-apiserver takes the user from `CN` and the groups from `O`. */
  | { readonly type: 'client'; readonly user: string; readonly groups: readonly string[] };

/** When a certificate holds. */
export interface Life {
  /** The time at which it is made, in milliseconds since 1970. */
  readonly now: number;
  /** How long it holds from then on; default ten years for authorities and one year for others. */
  readonly days?: number;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMilliseconds = 86_400_000;
const authorityDays = 3650;
const certificateDays = 365;
/** Clocks of clients differ a little. */
const earlierMilliseconds = 300_000;

type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function requireLife(call: string, life: Life): void {
  requireOptions(call, life, { now: 'number', days: 'number' });
  if (life.now === undefined) throw new TypeError(`${call}: \`now\` is undefined`);
}

/** Makes an authority with its key, both of which are new. */
export async function makeAuthority(commonName: string, life: Life): Promise<CertificatePair> {
  requireLife('makeAuthority', life);
  const { now, days = authorityDays } = life;
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: new Name([{ CN: [commonName] }]).toString(),
    serialNumber: serialNumber(),
    keys,
    signingAlgorithm: algorithm,
    ...validity(now, days),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(
        KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature,
        true,
      ),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await keyText(keys.privateKey) };
}

/** Makes a certificate with a new key, which an authority signs. */
export async function makeCertificate(
  authority: CertificatePair,
  subject: CertificateSubject,
  life: Life,
): Promise<CertificatePair> {
  requireLife('makeCertificate', life);
  const { now, days = certificateDays } = life;
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.create({
    subject: nameOf(subject),
    issuer: new X509Certificate(authority.certificate).subject,
    serialNumber: serialNumber(),
    publicKey: keys.publicKey,
    signingKey: await readKey(authority.key),
    signingAlgorithm: algorithm,
    ...validity(now, days),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([
        subject.type === 'server' ? ExtendedKeyUsage.serverAuth : ExtendedKeyUsage.clientAuth,
      ]),
      ...(subject.type === 'server' ? [alternativeNames(subject.names)] : []),
    ],
  });
  return { certificate: certificate.toString('pem'), key: await keyText(keys.privateKey) };
}

/** The name in a certificate: groups are organizations and the user is the common name, as for kube-apiserver. */
function nameOf(subject: CertificateSubject): Name {
  if (subject.type === 'server') return new Name([{ CN: [subject.commonName] }]);
  return new Name([...subject.groups.map((group) => ({ O: [group] })), { CN: [subject.user] }]);
}

function alternativeNames(names: readonly string[]): SubjectAlternativeNameExtension {
  return new SubjectAlternativeNameExtension(
    names.map((name) => ({ type: isAddress(name) ? 'ip' : 'dns', value: name }) as const),
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

function serialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Positive and of full length.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function keyText(key: PrivateKey): Promise<string> {
  return `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}

async function readKey(pem: string): Promise<PrivateKey> {
  const [bytes] = PemConverter.decode(pem);
  if (bytes === undefined) throw new Error('the key of the authority is not PEM');
  return crypto.subtle.importKey('pkcs8', bytes, algorithm, false, ['sign']);
}
