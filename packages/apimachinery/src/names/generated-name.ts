import { byteLength } from '@kubeadmit/go/internal';

/**
 * The name that is checked in the place of a prefix of generated names: a dash at the end and the byte
 * before it become `a` (apimachinery `api/validation.maskTrailingDash`).
 */
export function maskTrailingDash(prefix: string): string {
  const match = /^(.*)(.)-$/su.exec(prefix);
  if (match === null) return prefix;
  // The rest of a truncated multi-byte character is invalid in every name.
  const rest = '!'.repeat(byteLength(match[2] ?? '') - 1);
  return `${match[1] ?? ''}${rest}a`;
}
