import { recentTester } from '@kubeadmit/go/unstable-internal';
import type { SignatureCheck } from '@kubeadmit/kyverno';
import { matchesWildcard } from '@kubeadmit/kyverno/patterns';
import { ASN1Obj, type X509Certificate } from '@sigstore/core';
import { VerificationFailure } from './verification-failure.ts';

/** The requirements of a check on the identity in a certificate. */
export type IdentityCheck = Pick<
  SignatureCheck,
  'subject' | 'subjectRegExp' | 'issuer' | 'issuerRegExp' | 'additionalExtensions'
>;

/** Whether a check has requirements on the identity. */
function hasIdentity(check: IdentityCheck): boolean {
  const { subject, subjectRegExp, issuer, issuerRegExp, additionalExtensions } = check;
  const texts = [subject, subjectRegExp, issuer, issuerRegExp];
  return texts.some((text) => text !== '') || Object.keys(additionalExtensions).length > 0;
}

/**
 * Requires that one of some certificates has the identity of a check (Kyverno's `matchSignatures`).
 *
 * @throws VerificationFailure with the reason for each certificate
 */
export function requireIdentity(
  certificates: readonly (X509Certificate | undefined)[],
  check: IdentityCheck,
): void {
  if (!hasIdentity(check)) return;
  const reasons: string[] = [];
  for (const certificate of certificates) {
    if (certificate === undefined) throw new VerificationFailure('certificate not found');
    const reason = identityProblem(certificate, check);
    if (reason === undefined) return;
    reasons.push(reason);
  }
  throw new VerificationFailure(reasons.length === 0 ? 'invalid signature' : reasons.join('; '));
}

function identityProblem(certificate: X509Certificate, check: IdentityCheck): string | undefined {
  const { subject, subjectRegExp, issuer, issuerRegExp } = check;
  const names = subjectNames(certificate);
  // Kyverno checks the subject only if there are names.
  if ((subject !== '' || subjectRegExp !== '') && names.length > 0) {
    const regex = subjectRegExp === '' ? undefined : regexOf(subjectRegExp, 'subject');
    const matches = names.some(
      (name) => (subject !== '' && matchesWildcard(subject, name)) || regex?.(name) === true,
    );
    if (!matches) {
      const expected = subject || subjectRegExp;
      return `subject mismatch: expected ${expected}, received ${names.join(', ')}`;
    }
  }
  const found = extensionText(certificate, extensions['oidcIssuer'] ?? '');
  if (issuer !== '' && !matchesWildcard(issuer, found)) {
    return `issuer mismatch: expected ${issuer}, received ${found}`;
  }
  if (issuerRegExp !== '' && !regexOf(issuerRegExp, 'issuer')(found)) {
    return `issuer mismatch: expected ${issuerRegExp}, received ${found}`;
  }
  return extensionProblem(certificate, check);
}

function extensionProblem(
  certificate: X509Certificate,
  { additionalExtensions }: IdentityCheck,
): string | undefined {
  for (const [key, expected] of Object.entries(additionalExtensions)) {
    const oid = Object.hasOwn(extensions, key) ? extensions[key] : key;
    if (oid === undefined || !Object.values(extensions).includes(oid)) {
      return `invalid certificate extension ${key}`;
    }
    const found = extensionText(certificate, oid);
    if (!matchesWildcard(expected, found)) {
      return `extension mismatch: expected ${expected} for key ${key}, received ${found}`;
    }
  }
  return undefined;
}

/** The extensions of Fulcio, by the names of cosign. */
const extensions: Readonly<Record<string, string>> = {
  oidcIssuer: '1.3.6.1.4.1.57264.1.1',
  githubWorkflowTrigger: '1.3.6.1.4.1.57264.1.2',
  githubWorkflowSha: '1.3.6.1.4.1.57264.1.3',
  githubWorkflowName: '1.3.6.1.4.1.57264.1.4',
  githubWorkflowRepository: '1.3.6.1.4.1.57264.1.5',
  githubWorkflowRef: '1.3.6.1.4.1.57264.1.6',
};

function extensionText(certificate: X509Certificate, oid: string): string {
  return certificate.extension(oid)?.value.toString('utf8') ?? '';
}

/** The OIDC issuer of a certificate, by the newer extension if it has it. */
export function issuerOf(certificate: X509Certificate): string {
  const newer = certificate.extension('1.3.6.1.4.1.57264.1.8');
  if (newer === undefined) return extensionText(certificate, extensions['oidcIssuer'] ?? '');
  return ASN1Obj.parseBuffer(Buffer.from(newer.value)).value.toString('utf8');
}

/** All names of a certificate's subject, in the order of sigstore's `GetSubjectAlternateNames`. */
export function subjectNames(certificate: X509Certificate): readonly string[] {
  const { dns, emails, addresses, uris, other } = alternativeNames(certificate);
  return [...dns, ...emails, ...addresses, ...uris, ...(other === '' ? [] : [other])];
}

/** The name of a bundle's signer: the first URI, else the first email address, else the name of another type. */
export function signerName(certificate: X509Certificate): string {
  const { uris, emails, other } = alternativeNames(certificate);
  return uris[0] || emails[0] || other;
}

interface AlternativeNames {
  readonly dns: readonly string[];
  readonly emails: readonly string[];
  readonly addresses: readonly string[];
  readonly uris: readonly string[];
  /** Fulcio's name of another type; empty unless there is exactly one. */
  readonly other: string;
}

function alternativeNames(certificate: X509Certificate): AlternativeNames {
  const names = generalNames(certificate);
  const ofTag = (tag: number) => names.filter((name) => name.tag.isContextSpecific(tag));
  const texts = (tag: number) => ofTag(tag).map(({ value }) => value.toString('utf8'));
  const [other, another] = ofTag(0);
  return {
    dns: texts(2),
    emails: texts(1),
    addresses: ofTag(7).map(({ value }) => addressText(value)),
    uris: texts(6),
    other: other === undefined || another !== undefined ? '' : otherName(other),
  };
}

function generalNames(certificate: X509Certificate): readonly ASN1Obj[] {
  const extension = certificate.extension('2.5.29.17');
  if (extension === undefined) return [];
  try {
    return ASN1Obj.parseBuffer(Buffer.from(extension.value)).subs;
  } catch {
    throw new VerificationFailure('failed to read certificate: invalid subject alternative names');
  }
}

/** The text of Fulcio's `otherName`; empty for one of another type. */
function otherName({ subs: [type, value] }: ASN1Obj): string {
  if (type === undefined || !type.tag.isOID()) return '';
  if (type.toOID() !== '1.3.6.1.4.1.57264.1.7') return '';
  return value?.subs[0]?.value.toString('utf8') ?? '';
}

/** An IP address as Go writes it. */
function addressText(bytes: Uint8Array): string {
  const isMapped =
    bytes.length === 16 && bytes.subarray(0, 12).every((byte, at) => byte === (at < 10 ? 0 : 0xff));
  if (bytes.length === 4 || isMapped) return bytes.subarray(-4).join('.');
  const groups = Buffer.from(bytes).toString('hex').match(/.{4}/g) ?? [];
  const address = `http://[${groups.join(':')}]/`;
  return URL.canParse(address) ? new URL(address).hostname.slice(1, -1) : '';
}

/** Returns a test for a regular expression of Go, which need not match the complete string. */
export function regexOf(pattern: string, what: string): (text: string) => boolean {
  const tester = recentTester(pattern);
  if ('error' in tester) {
    throw new VerificationFailure(`invalid regexp for ${what}: ${pattern} : ${tester.error}`);
  }
  return (text) => tester.test(text);
}
