import { encodeUtf8, formatJson } from '@kubeadmit/go';
import { sha256 } from './storage-hash.ts';

/** The hash of a document, in hexadecimal and capitals. */
export function documentHash(value: unknown): string {
  const bytes = sha256(encodeUtf8(formatJson(value)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .toUpperCase();
}

/** The strong entity tag of a document (RFC 9110, 8.8.3). */
export function entityTag(value: unknown): string {
  return `"${documentHash(value)}"`;
}
