import type { SignatureCheck, VerifiedAttestations } from '@kubeadmit/kyverno';
import type { X509Certificate } from '@sigstore/core';
import { digestOf, type Registry, RegistryError, type Repository } from '../registry/registry.ts';
import { requireCertificateTimestamp } from './certificate-timestamp.ts';
import {
  type CertificatePool,
  poolOf,
  readCertificate,
  readCertificates,
  trustedChain,
} from './certificates.ts';
import { readStatement, requireSignedEnvelope, requireSubject } from './envelope.ts';
import { requireIdentity } from './identity.ts';
import {
  acceptedLayers,
  certificateOf,
  keyOf,
  type LayerRules,
  requireLayerSignature,
  withPrefix,
} from './layer-verifier.ts';
import { readPublicKey, type SignatureKey } from './public-key.ts';
import { layersOf, type SignatureLayer, taggedLayers } from './signature-layers.ts';
import { readPayload, requireAnnotations } from './simple-signing.ts';
import { authorityCertificates, type Trust, trustedLogs } from './trust-root.ts';
import { VerificationFailure } from './verification-failure.ts';

/** An image whose signatures are verified. */
export interface SignedImage {
  readonly registry: Registry;
  /** The digest of the image. */
  readonly digest: string;
  /** The repository of the signatures. */
  readonly signatures: Repository;
}

/**
 * Verifies the signatures of an image in cosign's older format and returns the signed digest
 * (Kyverno's `cosign.VerifySignature`).
 *
 * @throws VerificationFailure if no signature satisfies the check
 */
export function verifyCosignSignature(
  image: SignedImage,
  check: SignatureCheck,
  trust: Trust,
): string {
  const { registry, signatures, digest } = image;
  const rules = layerRules(check, trust, (layer, key) => {
    requireLayerSignature(layer, key);
    const claimed = readPayload(layer.payload).digest;
    if (claimed !== digest) {
      throw new VerificationFailure(`invalid or missing digest in claim: ${claimed}`);
    }
  });
  const accepted =
    acceptedReferrers(image, check, rules) ??
    acceptedLayers(
      signaturesOf(taggedLayers(registry, signatures, digest, 'sig')),
      rules,
      'signatures',
    );
  requireIdentity(accepted.map(certificateOf), check);
  const payloads = accepted.map(({ payload }) => readPayload(payload));
  requireAnnotations(payloads, check.annotations);
  return payloads[0]?.digest ?? '';
}

function signaturesOf(layers: readonly SignatureLayer[]): readonly SignatureLayer[] {
  if (layers.length > 0) return layers;
  throw new VerificationFailure('no signatures found');
}

/** The accepted signatures that refer to an image (`cosignOCI11`); undefined where the tag has to be tried. */
function acceptedReferrers(
  { registry, signatures, digest }: SignedImage,
  { usesReferrers }: SignatureCheck,
  rules: LayerRules,
): readonly SignatureLayer[] | undefined {
  if (!usesReferrers) return undefined;
  const type = 'application/vnd.dev.cosign.artifact.sig.v1+json';
  const last = registry
    .referrers(signatures, digest)
    .findLast(({ artifactType }) => artifactType === type);
  if (last === undefined) return undefined;
  try {
    const layers = layersOf(registry, digestOf(signatures, last.digest));
    return acceptedLayers(signaturesOf(layers), rules, 'signatures');
  } catch (error) {
    if (error instanceof VerificationFailure) return undefined;
    throw error;
  }
}

/**
 * Verifies the attestations of an image in cosign's older format (Kyverno's `cosign.FetchAttestations`).
 *
 * @throws VerificationFailure if no attestation satisfies the check
 */
export function fetchCosignAttestations(
  image: SignedImage,
  check: SignatureCheck,
  trust: Trust,
): VerifiedAttestations {
  const { registry, signatures, digest } = image;
  const rules = layerRules(check, trust, ({ payload }, key) => {
    requireSignedEnvelope(payload, key);
    requireSubject(readStatement(payload), digest);
  });
  const layers = taggedLayers(registry, signatures, digest, 'att');
  const accepted = acceptedLayers(layers, rules, 'attestations');
  const statements = accepted.map(({ payload }) => readStatement(payload));
  for (const [at, layer] of accepted.entries()) {
    if (statements[at]?.['type'] === check.predicateType) {
      requireIdentity([certificateOf(layer)], check);
    }
  }
  requireAnnotations(
    accepted.map(({ payload }) => readPayload(payload)),
    check.annotations,
  );
  return { digest: '', statements };
}

/** @throws VerificationFailure for keys and certificates of the check that cannot be used */
function layerRules(
  check: SignatureCheck,
  trust: Trust,
  requireSigned: LayerRules['requireSigned'],
): LayerRules {
  if (check.timestampChain !== '') {
    throw new VerificationFailure('timestamps of authorities (tsaCertChain) are not supported');
  }
  const key = keyOfCheck(check);
  const pool = key === undefined ? poolOfCheck(check, trust) : { roots: [], intermediates: [] };
  return {
    key,
    requireSigned,
    clock: trust.clock,
    logs: check.ignoresLog ? undefined : () => trustedLogs(trust.root, 'tlogs', check.logKey),
    chainOf: (certificate, own) => {
      const { roots, intermediates } = pool;
      const stored = readCertificates(own).slice(0, -1);
      const all = [...intermediates, ...stored];
      const chain = trustedChain(certificate, { roots, intermediates: all });
      requireTimestamp(chain, check, trust);
      return chain;
    },
  };
}

function requireTimestamp(
  [leaf, issuer]: readonly X509Certificate[],
  check: SignatureCheck,
  trust: Trust,
): void {
  if (check.ignoresTimestamp) return;
  const logs = trustedLogs(trust.root, 'ctlogs', check.timestampKey);
  if (leaf === undefined || issuer === undefined) {
    throw new VerificationFailure(
      'certificate chain must contain at least a certificate and its issuer',
    );
  }
  requireCertificateTimestamp(leaf, issuer, logs);
}

function keyOfCheck(check: SignatureCheck): SignatureKey | undefined {
  const { key, signatureAlgorithm, certificate, certificateChain } = check;
  if (key !== '') return readPublicKey(key, signatureAlgorithm);
  if (certificate === '') return undefined;
  const leaf = readCertificate(certificate);
  if (certificateChain !== '') {
    const chain = readCertificates(certificateChain);
    withPrefix('failed to load validate certificate chain', () => {
      const pool = { roots: chain.slice(-1), intermediates: chain.slice(0, -1) };
      const [, issuer = leaf] = trustedChain(leaf, pool);
      // Kyverno reads `ignoreSCT` and the keys of the log only after it has checked the chain.
      requireCertificateTimestamp(leaf, issuer, []);
    });
  }
  return keyOf(leaf, signatureAlgorithm);
}

function poolOfCheck({ certificateChain, roots }: SignatureCheck, trust: Trust): CertificatePool {
  const pem = certificateChain || roots;
  return pem === ''
    ? poolOf(authorityCertificates(trust.root))
    : { roots: readCertificates(pem), intermediates: [] };
}

/** Whether an error says that data cannot be used, or that a signature is not accepted. */
export function isVerificationError(error: unknown): error is Error {
  return error instanceof VerificationFailure || error instanceof RegistryError;
}
