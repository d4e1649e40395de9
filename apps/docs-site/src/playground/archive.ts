import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** Files as a zip archive, in one folder. */
export function packFiles(
  files: Readonly<Record<string, string>>,
  folder: string,
): Uint8Array<ArrayBuffer> {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [`${folder}/${name}`, strToU8(text)]),
    ),
  );
}

/** The texts in a zip archive; the folder that all of them are in, if there is one, is left out of their names. */
export function unpackFiles(archive: Uint8Array): Record<string, string> {
  const entries = Object.entries(unzipSync(archive)).filter(([name]) =>
    /\.(?:ya?ml|json|cel)$/i.test(name),
  );
  const [first = ''] = entries[0] ?? [];
  const folder = first.slice(0, first.indexOf('/') + 1);
  const isShared = folder !== '' && entries.every(([name]) => name.startsWith(folder));
  return Object.fromEntries(
    entries.map(([name, bytes]) => [isShared ? name.slice(folder.length) : name, strFromU8(bytes)]),
  );
}
