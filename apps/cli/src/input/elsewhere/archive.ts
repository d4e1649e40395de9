import { posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readBytes } from '@kubeadmit/files';
import { unpackTar } from 'modern-tar';
import {
  ElsewhereError,
  type FoundText,
  isArchiveName,
  isKustomizationFile,
  unbuilt,
  type WantedFiles,
} from '../local/found-text.ts';
import type { SkippedFiles } from '../local/skipped-files.ts';
import { kustomizationText, mayHoldManifests, pathSkipReason } from '../local/wanted-names.ts';
import { type ProgramSettings, renderChart } from './programs.ts';

/**
 * Returns the files and links of a tar archive, compressed with gzip or not, in its order, without folders. Nothing is
 * written to disk, so that names that lead out of a folder are harmless.
 *
 * @param maxSize the largest size of the unpacked archive in bytes
 * @throws ElsewhereError for other data, for an incomplete archive, and for names that programs read differently
 */
export async function readArchive(
  packed: Uint8Array,
  maxSize: number,
): Promise<readonly FoundText[]> {
  const entries = await entriesOf(unpack(packed, maxSize));
  if (entries.length === 0) throw new ElsewhereError('the archive is empty');
  return entries.flatMap(({ header: { name: written, type, linkname = '' }, data: bytes }) => {
    // For programs in C, the name ends there.
    if (written.includes('\0')) throw new ElsewhereError('a name in the archive contains NUL');
    const name = written.replace(/^(?:\.\/)+/, '');
    if (type === 'symlink') {
      return [{ name, bytes: noBytes, target: posix.join(posix.dirname(name), linkname) }];
    }
    if (type === 'link') return [{ name, bytes: noBytes, target: posix.normalize(linkname) }];
    return type === 'file' && bytes !== undefined ? [{ name, bytes }] : [];
  });
}

const noBytes = new Uint8Array();

/**
 * Returns the files of an archive that are read, sorted by name; others with Kubernetes objects are reported as skipped.
 *
 * @throws ElsewhereError if there are none, or the archive is a chart
 */
export function wanted(
  files: readonly FoundText[],
  from: string,
  skipped: SkippedFiles,
): WantedFiles {
  if (holdsChart(files)) {
    throw new ElsewhereError(
      'Helm charts in archives from the network are not rendered; pass the output of `helm template` with `-r -`, or download the chart',
    );
  }
  const isTopmost = ({ name }: FoundText): boolean => isKustomizationFile(name);
  const found: FoundText[] = [];
  const names = new Set(files.map(({ name }) => name));
  for (const { name, bytes, target } of files) {
    if (target !== undefined) {
      const isOther = !mayHoldManifests(name) && names.has(target);
      if (!isOther) skipped.add(`${from}!${name}`, 'links in archives are not followed');
      continue;
    }
    if (isArchiveName(name)) {
      skipped.add(`${from}!${name}`, 'archives in archives are not read');
      continue;
    }
    if (!mayHoldManifests(name)) continue;
    const why = isKustomizationFile(name) ? kustomizationText : pathSkipReason(name);
    if (why === undefined) found.push({ name: `${from}!${name}`, bytes });
    else skipped.addBytes(`${from}!${name}`, bytes, why);
  }
  if (found.length === 0)
    throw new ElsewhereError('no manifests in this archive (*.yaml, *.yml, *.json)');
  const texts = found.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (!files.some(isTopmost)) return { texts };
  return { texts, note: unbuilt('archive') };
}

/** Whether an archive is a chart of Helm, which has one folder. */
function holdsChart(files: readonly FoundText[]): boolean {
  return files.some(({ name }) => /^[^/]+\/Chart\.yaml$/.test(name));
}

/**
 * Returns the manifests of an archive that is a file; the user's own `helm` renders a chart.
 *
 * @throws ElsewhereError for other data, and for an archive without manifests
 */
export async function readArchiveFile(
  path: string,
  settings: ProgramSettings,
): Promise<WantedFiles> {
  const { maxFileSize } = settings;
  const limits = { maxSize: maxFileSize, sizeOption: '--max-file-size', regularOnly: true };
  const files = await readArchive(readBytes(path, limits), maxFileSize);
  if (holdsChart(files)) return { texts: [renderChart(path, settings)] };
  return wanted(files, path, settings.skipped);
}

async function entriesOf(bytes: Uint8Array) {
  try {
    return await unpackTar(bytes, { strict: true });
  } catch (error) {
    throw new ElsewhereError(`this is not a complete tar archive: ${(error as Error).message}`);
  }
}

/** Whether bytes are packed with gzip. */
export function isPacked([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

function unpack(packed: Uint8Array, maxSize: number): Uint8Array {
  if (!isPacked(packed)) return packed;
  try {
    return gunzipSync(packed, { maxOutputLength: Math.min(maxSize, 2 ** 31) });
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw new ElsewhereError(
      isLarge
        ? `the archive contains more than ${maxSize} bytes (--max-file-size)`
        : `invalid gzip archive: ${(error as Error).message}`,
    );
  }
}
