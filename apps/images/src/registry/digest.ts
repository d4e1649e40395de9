import { createHash } from 'node:crypto';
import { RegistryError } from './registry.ts';

/** The digest of bytes, such as `sha256:…`. */
export function digestOfBytes(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/**
 * Requires that bytes have a digest.
 *
 * @throws RegistryError if they have another one
 */
export function requireDigest(bytes: Uint8Array, expected: string): void {
  const found = digestOfBytes(bytes);
  if (found !== expected) {
    throw new RegistryError(`digest mismatch: expected ${expected}, got ${found}`);
  }
}
