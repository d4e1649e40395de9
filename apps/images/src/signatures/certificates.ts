import { X509Certificate as NodeCertificate } from 'node:crypto';
import { X509Certificate } from '@sigstore/core';
import { VerificationFailure } from './verification-failure.ts';

/** How many certificates Kyverno accepts in a chain. */
const longestChain = 11;

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Reads the certificates in PEM.
 *
 * @throws VerificationFailure for certificates that cannot be read
 */
export function readCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(block) ?? [];
  if (blocks.length > longestChain) {
    throw new VerificationFailure(
      `certificate chain too long (${blocks.length}), maximum allowed is ${longestChain}`,
    );
  }
  try {
    return blocks.map(parseCertificate);
  } catch {
    throw new VerificationFailure(
      'failed to unmarshal certificate from PEM format: invalid certificate',
    );
  }
}

/** Parses a certificate; `X509Certificate.parse` accepts every structure of ASN.1. */
function parseCertificate(pem: string): X509Certificate {
  const certificate = X509Certificate.parse(pem);
  new NodeCertificate(certificate.root.toDER());
  return certificate;
}

/**
 * Reads one certificate, in PEM or PEM in base64.
 *
 * @throws VerificationFailure if there is none
 */
export function readCertificate(text: string): X509Certificate {
  const isPem = text.includes('-----BEGIN');
  const [certificate] = readCertificates(isPem ? text : Buffer.from(text, 'base64').toString());
  if (certificate === undefined) throw new VerificationFailure('no certs found in pem file');
  return certificate;
}

const codeSigning: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.3.3', '2.5.29.37.0']);

/** Certificates that a chain may contain. */
export interface CertificatePool {
  readonly roots: readonly X509Certificate[];
  readonly intermediates: readonly X509Certificate[];
}

/** Sorts trusted certificates: those that sign themselves are roots. */
export function poolOf(certificates: readonly X509Certificate[]): CertificatePool {
  const isRoot = ({ subject, issuer }: X509Certificate): boolean => subject.equals(issuer);
  return {
    roots: certificates.filter(isRoot),
    intermediates: certificates.filter((each) => !isRoot(each)),
  };
}

/**
 * Returns the chain from a certificate to a trusted root. Validity is checked at the beginning of the certificate's
 * own validity; see {@link requireValidity} for the time of the signature.
 *
 * @throws VerificationFailure if there is no such chain
 */
export function trustedChain(
  leaf: X509Certificate,
  pool: CertificatePool,
): readonly X509Certificate[] {
  const chain = chainFrom(leaf, pool, []);
  if (chain === undefined) throw untrustedChain(brokenChain(leaf, pool));
  if (!chain.every(isForSigning)) {
    throw untrustedChain('x509: certificate specifies an incompatible key usage');
  }
  return chain;
}

/** Whether the extended key usage of a certificate, which may be absent, includes code signing. */
function isForSigning({ root }: X509Certificate): boolean {
  const usages = new NodeCertificate(root.toDER()).keyUsage;
  return usages === undefined || usages.some((usage) => codeSigning.has(usage));
}

/** Why there is no chain, in the words of Go. */
function brokenChain(leaf: X509Certificate, { roots, intermediates }: CertificatePool): string {
  const unknown = 'x509: certificate signed by unknown authority';
  const candidate = [...intermediates, ...roots].find(({ subject }) => subject.equals(leaf.issuer));
  if (candidate === undefined) return unknown;
  if (!isSigner(candidate, leaf)) {
    const reason =
      keyType(candidate) === 'ec'
        ? 'x509: ECDSA verification failure'
        : 'crypto/rsa: verification error';
    return `${unknown} (possibly because of "${reason}" while trying to verify candidate authority certificate "${commonName(candidate)}")`;
  }
  const { notBefore, notAfter } = candidate;
  const time = leaf.notBefore;
  const invalid = `x509: certificate has expired or is not yet valid: current time ${timeText(time)}`;
  if (time < notBefore) return `${invalid} is before ${timeText(notBefore)}`;
  return time > notAfter ? `${invalid} is after ${timeText(notAfter)}` : unknown;
}

/** The type of a certificate's key; undefined for a key that cannot be read. */
function keyType({ root }: X509Certificate): string | undefined {
  try {
    return new NodeCertificate(root.toDER()).publicKey.asymmetricKeyType;
  } catch {
    return undefined;
  }
}

function commonName(certificate: X509Certificate): string {
  const { subject } = new NodeCertificate(certificate.root.toDER());
  return /^CN=(.*)$/m.exec(subject)?.[1] ?? '';
}

function untrustedChain(reason: string): VerificationFailure {
  return new VerificationFailure(
    `cert verification failed: ${reason}. Check your TUF root (see cosign initialize) or set a custom root with env var SIGSTORE_ROOT_FILE`,
  );
}

function chainFrom(
  certificate: X509Certificate,
  pool: CertificatePool,
  before: readonly X509Certificate[],
): readonly X509Certificate[] | undefined {
  const chain = [...before, certificate];
  const [leaf = certificate] = chain;
  if (pool.roots.some((root) => root.equals(certificate))) return chain;
  const root = pool.roots.find((each) => isIssuer(each, certificate, leaf, before.length));
  if (root !== undefined) return [...chain, root];
  if (chain.length > longestChain) return undefined;
  for (const issuer of pool.intermediates) {
    if (chain.some((each) => each.equals(issuer))) continue;
    if (!isIssuer(issuer, certificate, leaf, before.length)) continue;
    const found = chainFrom(issuer, pool, chain);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param depth how many intermediate certificates are below the issuer */
function isIssuer(
  issuer: X509Certificate,
  certificate: X509Certificate,
  leaf: X509Certificate,
  depth: number,
): boolean {
  const limit = issuer.extBasicConstraints?.pathLenConstraint;
  if (!issuer.isCA || (limit !== undefined && limit < depth)) return false;
  if (!issuer.validForDate(leaf.notBefore)) return false;
  return issuer.subject.equals(certificate.issuer) && isSigner(issuer, certificate);
}

function isSigner(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.verify(issuer);
  } catch {
    return false;
  }
}

/**
 * Requires that a certificate and its issuers are valid at a time.
 *
 * @throws VerificationFailure that names both times
 */
export function requireValidity(chain: readonly X509Certificate[], time: Date): void {
  for (const [at, certificate] of chain.entries()) {
    const what = at === 0 ? 'certificate' : 'issuing CA certificate';
    const { notBefore, notAfter } = certificate;
    if (notAfter < time) {
      throw new VerificationFailure(
        `${what} expired before observed time: ${timeText(notAfter)} is before ${timeText(time)}`,
      );
    }
    if (notBefore > time) {
      throw new VerificationFailure(
        `${what} was issued after observed time: ${timeText(notBefore)} is after ${timeText(time)}`,
      );
    }
  }
}

function timeText(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}
