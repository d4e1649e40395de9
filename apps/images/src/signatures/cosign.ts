import type { SignatureCheck } from '@kubeadmit/kyverno';
import { type Registry, RegistryError, type Repository } from '../registry/registry.ts';
import { readPublicKey, requireSignature, type SignatureKey } from './public-key.ts';
import { type SignatureLayer, taggedLayers } from './signature-layers.ts';
import { readPayload, requireAnnotations } from './simple-signing.ts';
import { VerificationFailure } from './verification-failure.ts';

/** An image whose signatures are verified. */
export interface SignedImage {
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
  registry: Registry,
  image: SignedImage,
  check: SignatureCheck,
): string {
  if (!check.ignoresLog) {
    throw new VerificationFailure('transparency logs are not supported; set ignoreTlog');
  }
  const key = readPublicKey(check.key, check.signatureAlgorithm);
  const layers = taggedLayers(registry, image.signatures, image.digest, 'sig');
  if (layers.length === 0) throw new VerificationFailure('no signatures found');
  const accepted = acceptedLayers(layers, (layer) => verifyLayer(layer, image.digest, key));
  const payloads = accepted.map(({ payload }) => readPayload(payload));
  requireAnnotations(payloads, check.annotations);
  return payloads[0]?.digest ?? '';
}

/** The layers that a check accepts; at least one. */
function acceptedLayers(
  layers: readonly SignatureLayer[],
  verify: (layer: SignatureLayer) => void,
): readonly SignatureLayer[] {
  const reasons: string[] = [];
  const accepted = layers.filter((layer) => {
    try {
      verify(layer);
      return true;
    } catch (error) {
      if (!(error instanceof VerificationFailure)) throw error;
      reasons.push(error.message);
      return false;
    }
  });
  if (accepted.length > 0) return accepted;
  throw new VerificationFailure(`no matching signatures: ${reasons.join('\n ')}`);
}

function verifyLayer(
  { payload, signature, digest: layer }: SignatureLayer,
  digest: string,
  key: SignatureKey,
): void {
  if (signature === undefined) {
    const annotation = 'dev.cosignproject.cosign/signature';
    throw new VerificationFailure(`signature layer ${layer} is missing "${annotation}" annotation`);
  }
  requireSignature(key, payload, Buffer.from(signature, 'base64'));
  const claimed = readPayload(payload).digest;
  if (claimed === digest) return;
  throw new VerificationFailure(`invalid or missing digest in claim: ${claimed}`);
}

/** Whether an error says that data cannot be used, or that a signature is not accepted. */
export function isVerificationError(error: unknown): error is Error {
  return error instanceof VerificationFailure || error instanceof RegistryError;
}
