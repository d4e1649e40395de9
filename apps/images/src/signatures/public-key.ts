import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { VerificationFailure } from './verification-failure.ts';

const hashes: ReadonlySet<string> = new Set(['sha224', 'sha256', 'sha384', 'sha512']);

/** A public key with the hash of its signatures. */
export interface SignatureKey {
  readonly key: KeyObject;
  /** Such as `sha256`; Ed25519 keys ignore it. */
  readonly hash: string;
}

/**
 * Reads a public key in PEM. Keys in clusters and key management systems are refused by name.
 *
 * @param algorithm the hash of its signatures, or empty for `sha256`
 * @throws VerificationFailure for anything else
 */
export function readPublicKey(text: string, algorithm: string): SignatureKey {
  const hash = algorithm === '' ? 'sha256' : algorithm;
  if (!hashes.has(hash)) {
    throw new VerificationFailure(`invalid signature algorithm provided ${algorithm}`);
  }
  if (!text.trim().startsWith('-----BEGIN PUBLIC KEY-----')) {
    throw new VerificationFailure(
      `failed to load public key from ${text}: only keys in PEM are supported`,
    );
  }
  try {
    return { key: createPublicKey(text), hash };
  } catch {
    throw new VerificationFailure(
      'failed to load public key from PEM: pem to public key: invalid key',
    );
  }
}

/**
 * Requires that a signature of bytes is by a key.
 *
 * @throws VerificationFailure if it is not, or for keys that are not ECDSA, RSA or Ed25519
 */
export function requireSignature(
  { key, hash }: SignatureKey,
  bytes: Uint8Array,
  signature: Uint8Array,
): void {
  const type = key.asymmetricKeyType ?? '';
  const failure = Object.hasOwn(failures, type) ? failures[type] : undefined;
  if (failure === undefined) throw new VerificationFailure(`unsupported public key type ${type}`);
  if (isSignedBy({ key, hash }, bytes, signature)) return;
  throw new VerificationFailure(type === 'ec' ? ecdsaFailure(signature) : failure);
}

function ecdsaFailure(signature: Uint8Array): string {
  const { length } = signature;
  if (isSequence(signature)) return 'invalid signature when validating ASN.1 encoded signature';
  return length === 0 || length > 132 || length % 2 !== 0
    ? 'ecdsa: Invalid IEEE_P1363 encoded bytes'
    : 'invalid signature when validating IEEE_P1363 encoded signature';
}

/** Whether bytes are one sequence of ASN.1, as far as its length says. */
function isSequence([tag, length, ...rest]: Uint8Array): boolean {
  return (
    tag === 0x30 && (length === rest.length || (length === 0x81 && rest[0] === rest.length - 1))
  );
}

/** Whether a signature of bytes is by a key: ECDSA in either encoding, RSA with PKCS #1 v1.5, or Ed25519. */
export function isSignedBy(
  { key, hash }: SignatureKey,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : hash;
  const dsaEncoding = isSequence(signature) ? 'der' : 'ieee-p1363';
  try {
    return verify(algorithm, bytes, { key, dsaEncoding }, signature);
  } catch {
    return false;
  }
}

/** The texts of Go's sigstore library. */
const failures: Readonly<Record<string, string>> = {
  ec: 'invalid signature when validating ASN.1 encoded signature',
  rsa: 'crypto/rsa: verification error',
  ed25519: 'failed to verify signature',
};
