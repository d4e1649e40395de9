import { readText } from '@kubeadmit/files';
import { Boundary } from '../input/boundary.ts';
import { readSources } from '../input/sources.ts';
import type { Terminal } from '../terminal.ts';

/** Files that are larger, and what is beyond so many files or characters, are known only when they are opened. */
const largestFile = 1_000_000;
const mostFiles = 5_000;
const mostCharacters = 50_000_000;

const manifestName = /\.(?:ya?ml|json)$/;

/** Whether a file is one that may hold manifests. */
export function isManifestName(path: string): boolean {
  return manifestName.test(path);
}

/** The manifests of a folder as `kubeadmit lint` reads them, up to a bound of memory. */
export async function readFolder(
  folder: string,
  terminal: Terminal,
): Promise<{
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly leftOut: number;
}> {
  const { sources } = await readSources([folder], terminal, { maxFileSize: largestFile });
  let characters = 0;
  const files = sources.filter(({ text }, i) => {
    characters += text.length;
    return i < mostFiles && characters <= mostCharacters;
  });
  return {
    files: files.map(({ name: path, text }) => ({ path, text })),
    leftOut: sources.length - files.length,
  };
}

/** Returns the text of a file; `undefined` if it cannot be read, is too large, or a link out of the folders. */
export function readManifestFile(path: string, folders: readonly string[]): string | undefined {
  try {
    if (!isManifestName(path) || !new Boundary(folders).contains(path)) return undefined;
    return readText(path, { maxSize: largestFile, regularOnly: true });
  } catch {
    return undefined;
  }
}
