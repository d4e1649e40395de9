import { createPublicKey } from 'node:crypto';
import type { SignatureCheck, VerifiedAttestations } from '@kubeadmit/kyverno';
import type { X509Certificate } from '@sigstore/core';
import { digestOf, type Registry, RegistryError, type Repository } from '../registry/registry.ts';
import { requireCertificateTimestamp } from './certificate-timestamp.ts';
import {
  type CertificatePool,
  readCertificate,
  readCertificates,
  requireValidity,
  trustedChain,
} from './certificates.ts';
import { readStatement, requireSignedEnvelope, requireSubject } from './envelope.ts';
import { requireIdentity } from './identity.ts';
import { readPublicKey, requireSignature, type SignatureKey } from './public-key.ts';
import { layersOf, type SignatureLayer, taggedLayers } from './signature-layers.ts';
import { readPayload, requireAnnotations } from './simple-signing.ts';
import { verifyLogEntry } from './transparency-log.ts';
import { authorityCertificates, type TrustRoot, trustedLogs } from './trust-root.ts';
import { VerificationFailure } from './verification-failure.ts';

/** An image whose signatures are verified. */
export interface SignedImage {
  readonly registry: Registry;
  /** The digest of the image. */
  readonly digest: string;
  /** The repository of the signatures. */
  readonly signatures: Repository;
}

/** The trust and the time of verifications. */
export interface Trust {
  readonly root: TrustRoot | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
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
  const verifier = new LayerVerifier(check, trust, (layer, key) => {
    requireLayerSignature(layer, key);
    const claimed = readPayload(layer.payload).digest;
    if (claimed !== digest) {
      throw new VerificationFailure(`invalid or missing digest in claim: ${claimed}`);
    }
  });
  const accepted =
    acceptedReferrers(image, check, verifier) ??
    verifier.accepted(
      signaturesOf(taggedLayers(registry, signatures, digest, 'sig')),
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
  verifier: LayerVerifier,
): readonly SignatureLayer[] | undefined {
  if (!usesReferrers) return undefined;
  const type = 'application/vnd.dev.cosign.artifact.sig.v1+json';
  const last = registry
    .referrers(signatures, digest)
    .findLast(({ artifactType }) => artifactType === type);
  if (last === undefined) return undefined;
  try {
    const layers = layersOf(registry, digestOf(signatures, last.digest));
    return verifier.accepted(signaturesOf(layers), 'signatures');
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
  const verifier = new LayerVerifier(check, trust, ({ payload }, key) => {
    requireSignedEnvelope(payload, key);
    requireSubject(readStatement(payload), digest);
  });
  const layers = taggedLayers(registry, signatures, digest, 'att');
  const accepted = verifier.accepted(layers, 'attestations');
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

function requireLayerSignature(
  { signature, payload, digest }: SignatureLayer,
  key: SignatureKey,
): void {
  if (signature === undefined) {
    const annotation = 'dev.cosignproject.cosign/signature';
    throw new VerificationFailure(
      `signature layer ${digest} is missing "${annotation}" annotation`,
    );
  }
  requireSignature(key, payload, Buffer.from(signature, 'base64'));
}

function certificateOf({ certificate }: SignatureLayer): X509Certificate | undefined {
  return certificate === '' ? undefined : readCertificates(certificate)[0];
}

/** Verifies layers as cosign does: log entry, key or certificate, signature, time. */
class LayerVerifier {
  readonly #check: SignatureCheck;
  readonly #trust: Trust;
  readonly #requireSigned: (layer: SignatureLayer, key: SignatureKey) => void;
  /** The key of the check; undefined if the signatures have certificates. */
  readonly #key: SignatureKey | undefined;
  readonly #pool: CertificatePool;

  /** @throws VerificationFailure for keys and certificates of the check that cannot be used */
  constructor(
    check: SignatureCheck,
    trust: Trust,
    requireSigned: (layer: SignatureLayer, key: SignatureKey) => void,
  ) {
    if (check.timestampChain !== '') {
      throw new VerificationFailure('timestamps of authorities (tsaCertChain) are not supported');
    }
    this.#check = check;
    this.#trust = trust;
    this.#requireSigned = requireSigned;
    this.#key = this.#keyOfCheck();
    this.#pool = this.#key === undefined ? this.#poolOfCheck() : { roots: [], intermediates: [] };
  }

  /** The layers that satisfy the check; at least one. */
  accepted(layers: readonly SignatureLayer[], what: string): readonly SignatureLayer[] {
    const reasons: string[] = [];
    const accepted = layers.filter((layer) => {
      try {
        this.#verify(layer);
        return true;
      } catch (error) {
        if (error instanceof RegistryError) throw error;
        // The parsers of a hostile layer throw errors of any class.
        const isReason = error instanceof VerificationFailure;
        reasons.push(isReason ? error.message : `layer ${layer.digest} cannot be read`);
        return false;
      }
    });
    if (accepted.length > 0) return accepted;
    throw new VerificationFailure(`no matching ${what}: ${reasons.join('\n ')}`);
  }

  #verify(layer: SignatureLayer): void {
    const certificate = certificateOf(layer);
    const logTime = this.#check.ignoresLog ? undefined : this.#verifyLog(layer);
    const chain = this.#key === undefined ? this.#chainOf(layer, certificate) : [];
    const [leaf] = chain;
    const key = this.#key ?? keyOf(leaf as X509Certificate, '');
    this.#requireSigned(layer, key);
    if (certificate === undefined) return;
    const issuing = chain.slice(1);
    if (logTime !== undefined) {
      withPrefix('checking expiry on certificate with bundle', () =>
        requireValidity([certificate, ...issuing], logTime),
      );
      return;
    }
    this.#requireCurrent([certificate, ...issuing]);
  }

  #requireCurrent(chain: readonly X509Certificate[]): void {
    try {
      requireValidity(chain, new Date(this.#trust.clock()));
    } catch {
      throw new VerificationFailure('expected a signed timestamp to verify an expired certificate');
    }
  }

  #verifyLog(layer: SignatureLayer): Date {
    const logs = trustedLogs(this.#trust.root, 'tlogs', this.#check.logKey);
    const certificate = certificateOf(layer);
    if (certificate !== undefined) this.#requireSameKey(certificate);
    const signer = certificate === undefined ? this.#key?.key : layer.certificate;
    if (signer === undefined) throw new VerificationFailure('no certificate found on signature');
    return verifyLogEntry(layer, signer, logs);
  }

  /** Requires that the certificate of a layer, which is not verified otherwise, is of the key of the check. */
  #requireSameKey(certificate: X509Certificate): void {
    if (this.#key === undefined || keyOf(certificate, '').key.equals(this.#key.key)) return;
    throw new VerificationFailure(
      'error verifying bundle: both public key and certificate were provided but did not match',
    );
  }

  #chainOf(
    layer: SignatureLayer,
    certificate: X509Certificate | undefined,
  ): readonly X509Certificate[] {
    if (certificate === undefined) {
      throw new VerificationFailure('no certificate found on signature');
    }
    const { roots, intermediates } = this.#pool;
    const own = readCertificates(layer.chain).slice(0, -1);
    const chain = trustedChain(certificate, { roots, intermediates: [...intermediates, ...own] });
    this.#requireTimestamp(chain);
    return chain;
  }

  #requireTimestamp([leaf, issuer]: readonly X509Certificate[]): void {
    if (this.#check.ignoresTimestamp) return;
    const logs = trustedLogs(this.#trust.root, 'ctlogs', this.#check.timestampKey);
    if (leaf === undefined || issuer === undefined) {
      throw new VerificationFailure(
        'certificate chain must contain at least a certificate and its issuer',
      );
    }
    requireCertificateTimestamp(leaf, issuer, logs);
  }

  #keyOfCheck(): SignatureKey | undefined {
    const { key, signatureAlgorithm, certificate, certificateChain } = this.#check;
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

  #poolOfCheck(): CertificatePool {
    const { certificateChain, roots } = this.#check;
    const pem = certificateChain || roots;
    if (pem !== '') return { roots: readCertificates(pem), intermediates: [] };
    const all = authorityCertificates(this.#trust.root);
    const isRoot = (each: X509Certificate): boolean => each.subject.equals(each.issuer);
    return { roots: all.filter(isRoot), intermediates: all.filter((each) => !isRoot(each)) };
  }
}

function keyOf(certificate: X509Certificate, algorithm: string): SignatureKey {
  const key = createPublicKey({ key: certificate.publicKey, format: 'der', type: 'spki' });
  return { key, hash: algorithm === '' ? 'sha256' : algorithm };
}

function withPrefix(prefix: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof VerificationFailure)) throw error;
    throw new VerificationFailure(`${prefix}: ${error.message}`);
  }
}

/** Whether an error says that data cannot be used, or that a signature is not accepted. */
export function isVerificationError(error: unknown): error is Error {
  return error instanceof VerificationFailure || error instanceof RegistryError;
}
