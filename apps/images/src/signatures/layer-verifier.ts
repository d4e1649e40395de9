import { createPublicKey } from 'node:crypto';
import type { X509Certificate } from '@sigstore/core';
import { RegistryError } from '../registry/registry.ts';
import { readCertificates, requireValidity } from './certificates.ts';
import { requireSignature, type SignatureKey } from './public-key.ts';
import type { SignatureLayer } from './signature-layers.ts';
import { verifyLogEntry } from './transparency-log.ts';
import type { TrustedLog } from './trust-root.ts';
import { VerificationFailure } from './verification-failure.ts';

/** The requirements on signatures and attestations in cosign's older format. */
export interface LayerRules {
  /** The key that signs; undefined if the signatures have certificates. */
  readonly key: SignatureKey | undefined;
  /** Returns the trusted transparency logs; undefined if no entry is required. */
  readonly logs: (() => readonly TrustedLog[]) | undefined;
  /**
   * Returns the trusted chain of a certificate, which satisfies all requirements.
   *
   * @param own the chain that is stored with the signature, in PEM
   */
  readonly chainOf: (certificate: X509Certificate, own: string) => readonly X509Certificate[];
  /** Requires that a layer is signed by a key, and about the image. */
  readonly requireSigned: (layer: SignatureLayer, key: SignatureKey) => void;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Returns the layers that satisfy rules, verified as cosign does: log entry, key or certificate, signature, time.
 *
 * @param what the kind of the layers, for the error
 * @throws VerificationFailure if none does
 */
export function acceptedLayers(
  layers: readonly SignatureLayer[],
  rules: LayerRules,
  what: string,
): readonly SignatureLayer[] {
  const reasons: string[] = [];
  const accepted = layers.filter((layer) => {
    try {
      verifyLayer(layer, rules);
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

function verifyLayer(layer: SignatureLayer, rules: LayerRules): void {
  const certificate = certificateOf(layer);
  const logTime = rules.logs && verifyLog(layer, rules, rules.logs());
  const chain = rules.key === undefined ? chainOf(layer, certificate, rules) : [];
  const [leaf] = chain;
  const key = rules.key ?? keyOf(leaf as X509Certificate, '');
  rules.requireSigned(layer, key);
  if (certificate === undefined) return;
  const dated = [certificate, ...chain.slice(1)];
  if (logTime === undefined) {
    requireCurrent(dated, rules.clock());
    return;
  }
  withPrefix('checking expiry on certificate with bundle', () => requireValidity(dated, logTime));
}

function requireCurrent(chain: readonly X509Certificate[], now: number): void {
  try {
    requireValidity(chain, new Date(now));
  } catch {
    throw new VerificationFailure('expected a signed timestamp to verify an expired certificate');
  }
}

function verifyLog(layer: SignatureLayer, { key }: LayerRules, logs: readonly TrustedLog[]): Date {
  const certificate = certificateOf(layer);
  if (certificate !== undefined) requireSameKey(certificate, key);
  const signer = certificate === undefined ? key?.key : layer.certificate;
  if (signer === undefined) throw new VerificationFailure('no certificate found on signature');
  return verifyLogEntry(layer, signer, logs);
}

/** Requires the certificate of a layer, which is not verified otherwise, to have the key of the rules. */
function requireSameKey(certificate: X509Certificate, key: SignatureKey | undefined): void {
  if (key === undefined || keyOf(certificate, '').key.equals(key.key)) return;
  throw new VerificationFailure(
    'error verifying bundle: both public key and certificate were provided but did not match',
  );
}

function chainOf(
  layer: SignatureLayer,
  certificate: X509Certificate | undefined,
  rules: LayerRules,
): readonly X509Certificate[] {
  if (certificate === undefined) {
    throw new VerificationFailure('no certificate found on signature');
  }
  return rules.chainOf(certificate, layer.chain);
}

/** Returns the certificate that is stored with a signature. */
export function certificateOf({ certificate }: SignatureLayer): X509Certificate | undefined {
  return certificate === '' ? undefined : readCertificates(certificate)[0];
}

/**
 * Requires that a layer is signed by a key.
 *
 * @throws VerificationFailure if it is not
 */
export function requireLayerSignature(
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

/** Returns the key of a certificate, with the hash of its signatures. */
export function keyOf(certificate: X509Certificate, algorithm: string): SignatureKey {
  const key = createPublicKey({ key: certificate.publicKey, format: 'der', type: 'spki' });
  return { key, hash: algorithm === '' ? 'sha256' : algorithm };
}

/** Adds a text before the message of a failure. */
export function withPrefix(prefix: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof VerificationFailure)) throw error;
    throw new VerificationFailure(`${prefix}: ${error.message}`);
  }
}
