import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { withPlainNames } from './file-names.ts';

/** An archive unpacks to at most so many files and bytes: a small one could take all memory of the page. */
const mostFiles = 1_000;
const mostBytes = 20_000_000;

/** Files as a zip archive, in one folder. */
export function packFiles(
  files: Readonly<Record<string, string>>,
  folder: string,
): Uint8Array<ArrayBuffer> {
  return zipSync(
    Object.fromEntries(
      Object.entries(withPlainNames(files)).map(([name, text]) => [
        `${folder}/${name}`,
        strToU8(text),
      ]),
    ),
  );
}

/**
 * The texts in a zip archive, under plain names; the folder that all of them are in, if there is one, is left out of
 * their names.
 *
 * @throws Error if there are too many files or bytes, or the bytes are not an archive
 */
export function unpackFiles(archive: Uint8Array): Record<string, string> {
  let files = 0;
  let bytes = 0;
  const unpacked = unzipSync(archive, {
    filter: ({ name, originalSize }) => {
      if (!/\.(?:ya?ml|json|cel)$/i.test(name)) return false;
      files += 1;
      // INVARIANT: no entry unpacks to more than the size that the archive declares.
      bytes += originalSize;
      if (files > mostFiles) throw new Error(`the archive has more than ${mostFiles} files`);
      if (bytes > mostBytes) throw new Error('the archive unpacks to more than 20 MB');
      return true;
    },
  });
  const entries = Object.entries(unpacked);
  const [first = ''] = entries[0] ?? [];
  const folder = first.slice(0, first.indexOf('/') + 1);
  const isShared = folder !== '' && entries.every(([name]) => name.startsWith(folder));
  return withPlainNames(
    Object.fromEntries(
      entries.map(([name, content]) => [
        isShared ? name.slice(folder.length) : name,
        strFromU8(content),
      ]),
    ),
  );
}
