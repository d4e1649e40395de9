import type { KeyObject } from 'node:crypto';
import { type Bundle, bundleFromJSON } from '@sigstore/bundle';
import { X509Certificate } from '@sigstore/core';
import { type TrustMaterial, toSignedEntity, Verifier } from '@sigstore/verify';
import { readJsonObject } from '../registry/manifests.ts';
import type { Manifest } from '../registry/registry.ts';
import { requireSubject, type Statement, statementIn, statementType } from './envelope.ts';
import { type IdentityCheck, issuerOf, regexOf, signerName } from './identity.ts';
import { VerificationFailure } from './verification-failure.ts';

/** The requirements on a Sigstore bundle, as sigstore-go's `Verifier` and `Policy` have them. */
export interface BundleRules {
  /** The key that signs; undefined for bundles with a certificate. */
  readonly key: KeyObject | undefined;
  readonly material: TrustMaterial;
  /** How many entries of transparency logs are required; undefined if none is read. */
  readonly logEntries: 1 | undefined;
  /** The times at which the certificate or key has to be valid; of all but `now` and `none`, one is required. */
  readonly times: 'integrated' | 'signed' | 'any' | 'now' | 'none';
  /** Whether the certificate has to contain the timestamp of a certificate transparency log. */
  readonly requiresTimestamp: boolean;
  /** The expected identity, which has to name a subject and an issuer. */
  readonly identity: Pick<IdentityCheck, 'subject' | 'subjectRegExp' | 'issuer' | 'issuerRegExp'>;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/** Material without trusted keys and certificates. */
export const noMaterial: TrustMaterial = {
  certificateAuthorities: [],
  timestampAuthorities: [],
  tlogs: [],
  ctlogs: [],
  publicKey: () => {
    throw new VerificationFailure('no public key');
  },
};

/**
 * Parses a Sigstore bundle.
 *
 * @throws Error for anything else
 */
export function readBundle(bytes: Uint8Array, digest: string): Bundle {
  return bundleFromJSON(readJsonObject(bytes, `bundle ${digest}`));
}

/** The statement in a bundle; undefined for other content. */
export function statementOf({ content }: Bundle): Statement | undefined {
  if (content.$case !== 'dsseEnvelope') return undefined;
  const { payload, payloadType } = content.dsseEnvelope;
  if (payloadType !== statementType) return undefined;
  try {
    return statementIn(payload);
  } catch {
    return undefined;
  }
}

/** Whether a bundle about an image satisfies rules. */
export function isAccepted(
  rules: BundleRules,
  bundle: Bundle,
  { bytes, digest }: Pick<Manifest, 'bytes' | 'digest'>,
): boolean {
  try {
    const leaf = certificateOf(bundle);
    if ((rules.key !== undefined) !== (leaf === undefined)) return false;
    const entity = withRules(toSignedEntity(bundle, Buffer.from(bytes)), rules);
    verifierOf(rules).verify(entity);
    if (leaf !== undefined && !hasExpectedIdentity(leaf, rules.identity)) return false;
    const statement = statementOf(bundle);
    if (statement !== undefined) requireSubject(statement, digest);
    return statement !== undefined || bundle.content.$case === 'messageSignature';
  } catch {
    // The parsers of a hostile bundle throw errors of any class.
    return false;
  }
}

function verifierOf({
  key,
  material,
  logEntries,
  times,
  requiresTimestamp,
}: BundleRules): Verifier {
  const trusted: TrustMaterial = {
    ...material,
    publicKey: () => {
      if (key === undefined) throw new VerificationFailure('no public key');
      return { publicKey: key, validFor: () => true };
    },
  };
  return new Verifier(trusted, {
    ctlogThreshold: requiresTimestamp ? 1 : 0,
    tlogThreshold: logEntries ?? 0,
    timestampThreshold: times === 'none' ? 0 : 1,
  });
}

type SignedEntity = ReturnType<typeof toSignedEntity>;
type Time = SignedEntity['timestamps'][number];

/** The entity with the log entries and times that rules read; entries of unknown logs are skipped. */
function withRules(entity: SignedEntity, rules: BundleRules): SignedEntity {
  const { logEntries, material, times, key, clock } = rules;
  const known = new Set(material.tlogs.map(({ logID }) => Buffer.from(logID).toString('hex')));
  const isKnown = ({ logId }: SignedEntity['tlogEntries'][number]): boolean =>
    known.has(Buffer.from(logId?.keyId ?? []).toString('hex'));
  const tlogEntries = logEntries === undefined ? [] : entity.tlogEntries.filter(isKnown);
  // Entries of Rekor 2 have no time, so that certificates need a signed one.
  const hasNoTimes =
    entity.tlogEntries.length > 0 &&
    entity.tlogEntries.every(({ integratedTime }) => Number(integratedTime) === 0);
  const wanted = times === 'integrated' && key === undefined && hasNoTimes ? 'signed' : times;
  const isWanted = (time: Time): boolean =>
    time.$case === 'transparency-log'
      ? wanted !== 'signed' && logEntries !== undefined && isKnown(time.tlogEntry)
      : wanted !== 'integrated';
  const found = wanted === 'none' ? [] : entity.timestamps.filter(isWanted);
  return { ...entity, tlogEntries, timestamps: wanted === 'now' ? [presentTime(clock())] : found };
}

function presentTime(milliseconds: number): Time {
  const integratedTime = String(Math.floor(milliseconds / 1000));
  const logId = { keyId: Buffer.alloc(0) };
  const tlogEntry = { integratedTime, inclusionPromise: {}, logId } as never;
  return { $case: 'transparency-log', tlogEntry };
}

function certificateOf({ verificationMaterial }: Bundle): X509Certificate | undefined {
  const { content } = verificationMaterial;
  if (content.$case === 'certificate') {
    return X509Certificate.parse(Buffer.from(content.certificate.rawBytes));
  }
  if (content.$case !== 'x509CertificateChain') return undefined;
  const [first] = content.x509CertificateChain.certificates;
  return first && X509Certificate.parse(Buffer.from(first.rawBytes));
}

/** Whether a certificate has the identity of rules, which must name a subject and an issuer. */
function hasExpectedIdentity(
  certificate: X509Certificate,
  { subject, subjectRegExp, issuer, issuerRegExp }: BundleRules['identity'],
): boolean {
  if ((subject === '' && subjectRegExp === '') || (issuer === '' && issuerRegExp === '')) {
    return false;
  }
  const name = signerName(certificate);
  return (
    name !== '' &&
    isExpected(name, subject, subjectRegExp) &&
    isExpected(issuerOf(certificate), issuer, issuerRegExp)
  );
}

function isExpected(found: string, exact: string, pattern: string): boolean {
  return (
    (exact === '' || found === exact) && (pattern === '' || regexOf(pattern, 'identity')(found))
  );
}
