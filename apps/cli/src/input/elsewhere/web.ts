import { type DownloadLimits, download, isLocal } from '@kubeadmit/images/remote';
import { ElsewhereError, isArchiveName, type WantedFiles } from '../local/found-text.ts';
import type { SkippedFiles } from '../local/skipped-files.ts';
import { isPacked, readArchive, wanted } from './archive.ts';
import { checkDigest } from './digest.ts';

/** The files from a URL. */
export interface WebTexts extends WantedFiles {
  /** Whether the content was checked against a digest. */
  readonly isPinned: boolean;
}

/**
 * Gets a manifest or an archive of manifests (`.tar`, `.tar.gz`, `.tgz`) from an HTTPS address; `#sha256:…` is the
 * digest that it must have.
 *
 * @throws ElsewhereError if the content cannot be downloaded or does not match the digest.
 */
export async function readAddress(
  address: string,
  limits: DownloadLimits,
  skipped: SkippedFiles,
): Promise<WebTexts> {
  const [url = '', digest] = address.split('#', 2);
  const { hostname, protocol, pathname } = new URL(url);
  if (protocol !== 'https:' && !isLocal(hostname)) {
    throw new ElsewhereError('only https:// URLs are allowed (http:// only for this machine)');
  }
  const { response, bytes } = await download(url, { headers: {}, followsRedirects: true }, limits);
  if (!response.ok)
    throw new ElsewhereError(`the response is ${response.status} ${response.statusText}`);
  if (digest !== undefined) checkDigest(bytes, digest);
  // Addresses that lead to archives often name none.
  const read =
    isArchiveName(pathname) || isPacked(bytes)
      ? wanted(await readArchive(bytes, limits.maxFileSize), url, skipped)
      : { texts: [{ name: url, bytes }] };
  return { ...read, isPinned: digest !== undefined };
}
