import { encodeBase64, encodeUtf8 } from '@kubeadmit/go/internal';
import { sha256 } from '@noble/hashes/sha2.js';

/** The first bytes of a SHA-256 in base64 (apiserver discovery.StorageVersionHash). */
export function storageVersionHash(group: string, version: string, kind: string): string {
  const bytes = sha256(encodeUtf8(`${group}/${version}/${kind}`));
  return encodeBase64(bytes.slice(0, 8));
}
