import { createHash } from 'node:crypto';
import { ElsewhereError } from '../local/found-text.ts';

/**
 * Requires bytes to have a digest: `sha256:` and 64 hexadecimal digits.
 *
 * @throws ElsewhereError for another or an invalid digest
 */
export function checkDigest(bytes: Uint8Array, wanted: string): void {
  if (!/^sha256:[0-9a-f]{64}$/.test(wanted)) {
    throw new ElsewhereError(
      `\`${wanted}\` is not a digest; expected \`sha256:\` and 64 hexadecimal digits`,
    );
  }
  const found = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  if (found !== wanted) {
    throw new ElsewhereError(`digest mismatch: expected ${wanted}, got ${found}`);
  }
}
