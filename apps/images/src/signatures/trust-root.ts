import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { X509Certificate } from '@sigstore/core';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { type TrustMaterial, toTrustMaterial } from '@sigstore/verify';
import { RegistryError } from '../registry/registry.ts';
import { VerificationFailure } from './verification-failure.ts';

/** A key of a log that is trusted. */
export type TrustedLog = TrustMaterial['tlogs'][number];

/** The trusted keys and certificates of Sigstore. */
export interface TrustRoot {
  /** The material in the form of the library that verifies bundles. */
  readonly material: TrustMaterial;
}

/** The trust and the time of verifications. */
export interface Trust {
  readonly root: TrustRoot | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/**
 * Reads a `trusted_root.json` of Sigstore.
 *
 * @throws Error for anything else
 */
export function readTrustRoot(text: string): TrustRoot {
  const root = TrustedRoot.fromJSON(JSON.parse(text));
  const { certificateAuthorities, tlogs } = root;
  if (certificateAuthorities.length + tlogs.length === 0) {
    throw new Error('not a trust root of Sigstore; expected certificateAuthorities and tlogs');
  }
  return { material: toTrustMaterial(root) };
}

/** The error for a check that needs the trust root of Sigstore. */
export class MissingTrustRoot extends RegistryError {
  constructor(what: string) {
    super(`no trusted ${what}; pass the trust root of Sigstore with --trusted-root FILE`);
  }
}

/**
 * Returns the logs of a kind: that of a key in PEM, or those of the trust root.
 *
 * @throws MissingTrustRoot if neither is given
 * @throws VerificationFailure for a key that cannot be read
 */
export function trustedLogs(
  root: TrustRoot | undefined,
  kind: 'tlogs' | 'ctlogs',
  pem: string,
): readonly TrustedLog[] {
  const names = { tlogs: 'transparency log', ctlogs: 'certificate transparency log' };
  if (pem !== '') return [logOf(readLogKey(pem, names[kind]))];
  if (root === undefined) throw new MissingTrustRoot(names[kind]);
  return root.material[kind];
}

function readLogKey(pem: string, log: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new VerificationFailure(`failed to load public key of the ${log}: invalid key`);
  }
}

function logOf(publicKey: KeyObject): TrustedLog {
  return { logID: keyId(publicKey), baseURL: '', publicKey, validFor: always };
}

/** The identifier of a log: the hash of its public key. */
function keyId(key: KeyObject): Buffer {
  const der = key.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest();
}

/** Any time. */
const always = { start: new Date(0), end: new Date(8.64e15) };

/** The certificates of the authorities in a trust root. */
export function authorityCertificates(root: TrustRoot | undefined): readonly X509Certificate[] {
  if (root === undefined) throw new MissingTrustRoot('certificate authority');
  return root.material.certificateAuthorities.flatMap(({ certChain }) => certChain);
}
