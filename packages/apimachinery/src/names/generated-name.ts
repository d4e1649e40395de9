import { byteLength } from '@kubeadmit/go/internal';

/**
 * The name that is checked in the place of a prefix of generated names: a dash at the end and the byte
 * before it become `a` (apimachinery `api/validation.maskTrailingDash`).
 */
export function maskTrailingDash(prefix: string): string {
  const match = /^(.*)(.)-$/su.exec(prefix);
  if (match === null) return prefix;
  // What is left of a character of several bytes is valid in no name, whatever it is.
  const rest = '!'.repeat(byteLength(match[2] ?? '') - 1);
  return `${match[1] ?? ''}${rest}a`;
}
