import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@kubeadmit/files';
import { type KeptCertificate, renewCertificate } from './kept-certificate.ts';

const files = {
  authorities: 'ca.crt',
  authorityKey: 'ca.key',
  certificate: 'tls.crt',
  key: 'tls.key',
} as const satisfies Record<keyof KeptCertificate, string>;

/**
 * Reads the certificate that a folder keeps; makes or renews it, and its authority, where they are missing,
 * have a third of their life left, or are for other names.
 *
 * A new authority stands before the old one in `ca.crt`, so that clients that read it trust both.
 */
export async function folderCertificate(
  folder: string,
  dnsNames: readonly string[],
  now: number,
): Promise<KeptCertificate> {
  makeFolder(folder);
  const kept = readFolder(folder);
  const renewed = await renewCertificate(kept, { dnsNames, now, isTrusted: () => true });
  // Keys first: whoever sees a new certificate finds its key.
  for (const name of ['authorityKey', 'authorities', 'key', 'certificate'] as const) {
    if (kept?.[name] !== renewed[name]) write(join(folder, files[name]), renewed[name]);
  }
  return renewed;
}

function readFolder(folder: string): KeptCertificate | undefined {
  const read = (name: string): string => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  const authorities = read(files.authorities);
  const authorityKey = read(files.authorityKey);
  if (authorities === '' || authorityKey === '') return undefined;
  const [certificate, key] = [read(files.certificate), read(files.key)];
  const isWhole = certificate !== '' && key !== '';
  return {
    authorities,
    authorityKey,
    certificate: isWhole ? certificate : '',
    key: isWhole ? key : '',
  };
}

// Whoever reads the file sees the old text or the new one, and keys are for us alone.
function write(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: path.endsWith('.key') ? 0o600 : 0o644 });
  renameSync(`${path}.new`, path);
}
