import type { SignatureCheck, VerifiedAttestations } from '@kubeadmit/kyverno';
import { type Bundle, bundleFromJSON } from '@sigstore/bundle';
import { X509Certificate } from '@sigstore/core';
import { type TrustMaterial, toSignedEntity, Verifier } from '@sigstore/verify';
import { readJsonObject, readManifest } from '../registry/manifests.ts';
import { digestOf, type Manifest, type Registry, type Repository } from '../registry/registry.ts';
import type { Trust } from './cosign.ts';
import { requireSubject, type Statement, statementIn, statementType } from './envelope.ts';
import { issuerOf, regexOf, signerName } from './identity.ts';
import { readPublicKey } from './public-key.ts';
import { MissingTrustRoot } from './trust-root.ts';
import { VerificationFailure } from './verification-failure.ts';

/** How many manifests may refer to an image. */
const mostReferrers = 50;
/** The largest bundle in bytes. */
const maxBundleSize = 10_000_000;

/** An image with the bundles that refer to it. */
export interface BundledImage {
  readonly registry: Registry;
  readonly repository: Repository;
  readonly manifest: Manifest;
}

/**
 * Verifies the Sigstore bundles that refer to an image and returns its digest and the statements in them
 * (Kyverno's `verifyBundleAndFetchAttestations`).
 *
 * @throws VerificationFailure if no bundle satisfies the check
 */
export function verifyBundles(
  image: BundledImage,
  check: SignatureCheck,
  trust: Trust,
): VerifiedAttestations {
  const verifier = bundleVerifier(check, trust);
  const bundles = fetchBundles(image).filter((bundle) => isOfType(bundle, check.predicateType));
  const accepted = bundles.filter((bundle) => isAccepted(verifier, bundle, image.manifest));
  if (accepted.length === 0) {
    throw new VerificationFailure(
      'sigstore bundle verification failed: no matching signatures found',
    );
  }
  const statements = accepted.map(statementOf).filter((each) => each !== undefined);
  return { digest: image.manifest.digest, statements };
}

function fetchBundles({ registry, repository, manifest }: BundledImage): readonly Bundle[] {
  const referrers = registry.referrers(repository, manifest.digest);
  if (referrers.length > mostReferrers) {
    throw new VerificationFailure(
      `failed to fetch bundles: failed to fetch referrers: too many referrers found, max limit is ${mostReferrers}`,
    );
  }
  const ofSigstore = referrers.filter(({ artifactType }) =>
    artifactType.startsWith('application/vnd.dev.sigstore.bundle'),
  );
  return ofSigstore.map(({ digest }) => {
    const found = registry.manifest(digestOf(repository, digest));
    const [layer] = found === undefined ? [] : readManifest(found).layers;
    if (layer === undefined) throw failed('layers not found');
    if (layer.size > maxBundleSize) {
      throw failed(`layer size ${layer.size} exceeds ${maxBundleSize}`);
    }
    return readBundle(registry.blob(repository, layer), layer.digest);
  });
}

function readBundle(bytes: Uint8Array, digest: string): Bundle {
  const value = readJsonObject(bytes, `bundle ${digest}`);
  try {
    return bundleFromJSON(value);
  } catch (error) {
    throw failed(`failed to unmarshal bundle: ${error instanceof Error ? error.message : ''}`);
  }
}

function failed(reason: string): VerificationFailure {
  return new VerificationFailure(`failed to fetch bundles: ${reason}`);
}

function isOfType(bundle: Bundle, predicateType: string): boolean {
  return predicateType === '' || statementOf(bundle)?.['predicateType'] === predicateType;
}

/** The statement in a bundle; undefined for a bundle with something else. */
function statementOf({ content }: Bundle): Statement | undefined {
  if (content.$case !== 'dsseEnvelope') return undefined;
  const { payload, payloadType } = content.dsseEnvelope;
  if (payloadType !== statementType) return undefined;
  try {
    return statementIn(payload);
  } catch {
    return undefined;
  }
}

interface BundleVerifier {
  readonly verifier: Verifier;
  readonly check: SignatureCheck;
  readonly trust: Trust;
  readonly hasKey: boolean;
}

function bundleVerifier(check: SignatureCheck, trust: Trust): BundleVerifier {
  const { key, signatureAlgorithm, ignoresLog, ignoresTimestamp } = check;
  const hasKey = key !== '';
  if (trust.root === undefined && !(hasKey && ignoresLog && ignoresTimestamp)) {
    throw new MissingTrustRoot('material for bundles');
  }
  const publicKey = hasKey ? readPublicKey(key, signatureAlgorithm).key : undefined;
  const material: TrustMaterial = {
    ...(trust.root?.material ?? noMaterial),
    publicKey: () => {
      if (publicKey === undefined) throw new VerificationFailure('no public key');
      return { publicKey, validFor: () => true };
    },
  };
  const verifier = new Verifier(material, {
    ctlogThreshold: 0,
    tlogThreshold: ignoresLog ? 0 : 1,
    timestampThreshold: ignoresTimestamp ? 0 : 1,
  });
  return { verifier, check, trust, hasKey };
}

const noMaterial = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };

function isAccepted(
  { verifier, check, trust, hasKey }: BundleVerifier,
  bundle: Bundle,
  { bytes, digest }: Manifest,
): boolean {
  try {
    const leaf = certificateOf(bundle);
    if (hasKey !== (leaf === undefined)) return false;
    const entity = toSignedEntity(bundle, Buffer.from(bytes));
    // Where no timestamp is required, a certificate without one has to be valid now.
    const timestamps =
      leaf === undefined || entity.timestamps.length > 0 || !check.ignoresTimestamp
        ? entity.timestamps
        : [presentTime(trust.clock())];
    verifier.verify({ ...entity, timestamps });
    if (leaf !== undefined && !hasExpectedIdentity(leaf, check)) return false;
    const statement = statementOf(bundle);
    if (statement !== undefined) requireSubject(statement, digest);
    return statement !== undefined || bundle.content.$case === 'messageSignature';
  } catch {
    // The parsers of a hostile bundle throw errors of any class.
    return false;
  }
}

type SignedEntity = ReturnType<typeof toSignedEntity>;

function presentTime(milliseconds: number): SignedEntity['timestamps'][number] {
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

/** Whether a certificate has the identity of a check, which must name a subject and an issuer. */
function hasExpectedIdentity(certificate: X509Certificate, check: SignatureCheck): boolean {
  const { subject, subjectRegExp, issuer, issuerRegExp } = check;
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
