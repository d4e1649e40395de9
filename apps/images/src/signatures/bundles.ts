import type { SignatureCheck, VerifiedAttestations } from '@kubeadmit/kyverno';
import type { Bundle } from '@sigstore/bundle';
import { readManifest } from '../registry/manifests.ts';
import { digestOf, type Manifest, type Registry, type Repository } from '../registry/registry.ts';
import {
  type BundleRules,
  isAccepted,
  noMaterial,
  readBundle,
  statementOf,
} from './bundle-verifier.ts';
import { readPublicKey } from './public-key.ts';
import { MissingTrustRoot, type Trust } from './trust-root.ts';
import { VerificationFailure } from './verification-failure.ts';

/** How many manifests may refer to an image. */
const mostReferrers = 50;
/** The largest bundle in bytes. */
export const maxBundleSize = 10_000_000;

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
  const bundles = fetchBundles(image).filter((bundle) => isOfType(bundle, check.predicateType));
  const rules = bundleRules(check, trust);
  const accepted = bundles.filter((bundle) => isAccepted(rules, bundle, image.manifest));
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
    const bytes = registry.blob(repository, layer);
    try {
      return readBundle(bytes, layer.digest);
    } catch (error) {
      throw failed(`failed to unmarshal bundle: ${error instanceof Error ? error.message : ''}`);
    }
  });
}

function failed(reason: string): VerificationFailure {
  return new VerificationFailure(`failed to fetch bundles: ${reason}`);
}

function isOfType(bundle: Bundle, predicateType: string): boolean {
  return predicateType === '' || statementOf(bundle)?.['predicateType'] === predicateType;
}

function bundleRules(check: SignatureCheck, trust: Trust): BundleRules {
  const { key, signatureAlgorithm, ignoresLog, ignoresTimestamp } = check;
  const hasKey = key !== '';
  if (trust.root === undefined && !(hasKey && ignoresLog && ignoresTimestamp)) {
    throw new MissingTrustRoot('material for bundles');
  }
  return {
    key: hasKey ? readPublicKey(key, signatureAlgorithm).key : undefined,
    material: trust.root?.material ?? noMaterial,
    logEntries: ignoresLog ? undefined : 1,
    times: timesOf(check, hasKey),
    requiresTimestamp: false,
    identity: check,
    clock: trust.clock,
  };
}

/** @throws VerificationFailure for a log without times, which sigstore-go refuses */
function timesOf(
  { image, ignoresLog, ignoresTimestamp }: SignatureCheck,
  hasKey: boolean,
): BundleRules['times'] {
  // Times of a log count only if its entry is required.
  if (!ignoresTimestamp) return ignoresLog ? 'signed' : 'any';
  if (ignoresLog) return hasKey ? 'none' : 'now';
  throw new VerificationFailure(
    `failed to get verify bundles: ${image}: when initializing a new Verifier, you must specify at least one of WithObserverTimestamps(), WithSignedTimestamps(), WithIntegratedTimestamps() or WithCurrentTime(), or exclusively specify WithNoObserverTimestamps()`,
  );
}
