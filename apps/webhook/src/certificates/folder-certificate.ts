import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, readText, replaceFile } from '@kubeadmit/files';
import { withFolderLock } from './folder-lock.ts';
import { type KeptCertificate, keptFiles, renewCertificate } from './kept-certificate.ts';

/**
 * Reads the certificate in a folder, and creates or renews it and its authority if needed.
 *
 * Each is renewed if it is missing or a third of its life is left, the certificate also if it lacks a name. In
 * `ca.crt` a new authority comes before the old one, so that clients that read it trust both. Several processes can
 * share the folder.
 */
export async function folderCertificate(
  folder: string,
  dnsNames: readonly string[],
  now: number,
): Promise<KeptCertificate> {
  makeFolder(folder);
  const renew = (kept: KeptCertificate | undefined): Promise<KeptCertificate> =>
    renewCertificate(kept, { dnsNames, now, isTrusted: () => true });
  const before = readFolder(folder);
  if (before !== undefined && (await renew(before)) === before) return before;
  // Another process may have renewed it in the meantime.
  return withFolderLock(folder, async () => {
    const kept = readFolder(folder);
    const renewed = await renew(kept);
    // Keys first, so that a reader of a new certificate finds its key.
    for (const name of ['authorityKey', 'authorities', 'key', 'certificate'] as const) {
      if (kept?.[name] !== renewed[name]) write(join(folder, keptFiles[name]), renewed[name]);
    }
    return renewed;
  });
}

function readFolder(folder: string): KeptCertificate | undefined {
  const read = (name: string): string => {
    const path = join(folder, name);
    return existsSync(path) ? readText(path, { regularOnly: true }) : '';
  };
  const authorities = read(keptFiles.authorities);
  const authorityKey = read(keptFiles.authorityKey);
  if (authorities === '' || authorityKey === '') return undefined;
  const [certificate, key] = [read(keptFiles.certificate), read(keptFiles.key)];
  const isWhole = certificate !== '' && key !== '';
  return {
    authorities,
    authorityKey,
    certificate: isWhole ? certificate : '',
    key: isWhole ? key : '',
  };
}

// The key of the certificate and that of the authority are for their owner alone.
function write(path: string, text: string): void {
  replaceFile(path, text, path.endsWith('.key') ? 0o600 : 0o644);
}
