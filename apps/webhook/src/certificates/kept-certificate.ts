import {
  bundleOf,
  certificatesIn,
  isCertificateFor,
  isDueForRenewal,
  makeAuthority,
  makeCertificate,
} from '@kubeadmit/certificates';
import { ageOf, expiryOf, isKeyOf, namesOf } from './pair.ts';

/** An authority and a certificate of our own, as they are kept: PEM texts. */
export interface KeptCertificate {
  /** The authority, followed by the previous one while clients may need it. */
  readonly authorities: string;
  readonly authorityKey: string;
  readonly certificate: string;
  readonly key: string;
}

/** The names of the parts in a folder and in a Secret. */
export const keptFiles = {
  authorities: 'ca.crt',
  authorityKey: 'ca.key',
  certificate: 'tls.crt',
  key: 'tls.key',
} as const satisfies Record<keyof KeptCertificate, string>;

/** The requirements for a certificate. */
export interface Wanted {
  readonly dnsNames: readonly string[];
  /** In milliseconds since 1970. */
  readonly now: number;
  /**
   * Whether clients already trust an authority. Until they do, the certificate of the previous authority stays in
   * use until it expires.
   */
  readonly isTrusted: (authority: string) => boolean;
}

// After this time no replica uses a certificate of the previous authority.
const overlapMilliseconds = 86_400_000;

/**
 * Creates or renews the authority and the certificate, each if it is missing or a third of its life is left.
 *
 * The certificate is also replaced if it lacks a name, and then keeps the names that it has: replicas have different
 * names while `--dns-name` changes. Returns `kept` itself if nothing changed.
 */
export async function renewCertificate(
  kept: KeptCertificate | undefined,
  wanted: Wanted,
): Promise<KeptCertificate> {
  const authority = await renewAuthority(kept, wanted.now);
  const [newest = '', ...others] = certificatesIn(authority.authorities);
  const names = [...new Set([...wanted.dnsNames, 'localhost', '127.0.0.1', '::1'])];
  if (kept !== undefined && (await isUsable(kept, newest, names, wanted.now))) {
    // The previous authority is no longer in use.
    const isOld = ageOf(kept.certificate, wanted.now) > overlapMilliseconds;
    return isOld && others.length > 0 ? { ...authority, authorities: newest } : authority;
  }
  if (!wanted.isTrusted(newest) && (await stillHolds(authority, others, names, wanted.now))) {
    return authority;
  }
  const issuer = { certificate: newest, key: authority.authorityKey };
  const isYoung = kept !== undefined && isInForce(kept.certificate, wanted.now);
  const all = isYoung ? [...new Set([...names, ...namesOf(kept.certificate)])] : names;
  const subject = { type: 'server', commonName: names[0] ?? 'localhost', names: all } as const;
  const { certificate, key } = await makeCertificate(issuer, subject, { now: wanted.now });
  return { ...authority, certificate, key };
}

async function renewAuthority(
  kept: KeptCertificate | undefined,
  now: number,
): Promise<KeptCertificate> {
  const [newest] = certificatesIn(kept?.authorities ?? '');
  if (kept !== undefined && newest !== undefined && !isDueForRenewal(newest, now)) {
    // A process that ends while it writes leaves the key of another authority.
    if (isKeyOf(kept.authorityKey, newest)) return kept;
  }
  const day = new Date(now).toISOString().slice(0, 10);
  const made = await makeAuthority(`kubeadmit webhook authority ${day}`, { now });
  return {
    authorities: bundleOf([made.certificate, ...(newest === undefined ? [] : [newest])]),
    authorityKey: made.key,
    certificate: kept?.certificate ?? '',
    key: kept?.key ?? '',
  };
}

async function stillHolds(
  { certificate }: KeptCertificate,
  issuers: readonly string[],
  names: readonly string[],
  now: number,
): Promise<boolean> {
  if (certificate === '' || expiryOf(certificate) <= now) return false;
  const answers = issuers.map((issuer) => isCertificateFor(certificate, issuer, names));
  return (await Promise.all(answers)).includes(true);
}

async function isUsable(
  { certificate }: KeptCertificate,
  authority: string,
  names: readonly string[],
  now: number,
): Promise<boolean> {
  return isInForce(certificate, now) && isCertificateFor(certificate, authority, names);
}

function isInForce(certificate: string, now: number): boolean {
  return certificate !== '' && !isDueForRenewal(certificate, now);
}
