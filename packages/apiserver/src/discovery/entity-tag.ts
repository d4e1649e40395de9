import { encodeUtf8, formatJson } from '@kubeadmit/go';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** The hash of a document, in hexadecimal and capitals. */
export function documentHash(value: unknown): string {
  return bytesToHex(sha256(encodeUtf8(formatJson(value)))).toUpperCase();
}

/** The strong entity tag of a document (RFC 9110, 8.8.3). */
export function entityTag(value: unknown): string {
  return `"${documentHash(value)}"`;
}
