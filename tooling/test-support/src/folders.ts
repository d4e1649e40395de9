import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Contents of files by their paths in a folder. */
type Files = Readonly<Record<string, string | Uint8Array>>;

/** Creates a folder with these files; the caller must remove it with `removeFolder`. */
export function createFolder(files: Files = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubeadmit-'));
  writeFiles(folder, files);
  return folder;
}

/** Removes a folder with all that is in it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** A new folder with these files, which is gone after the test (`onTestFinished`) or after all tests (`afterAll`). */
export function folderUntil(end: (remove: () => void) => void, files: Files = {}): string {
  const folder = createFolder(files);
  end(() => removeFolder(folder));
  return folder;
}

/** Uses a new folder, which is gone afterwards, whatever happens. */
export async function withFolder<T>(use: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = createFolder();
  try {
    return await use(folder);
  } finally {
    removeFolder(folder);
  }
}

/** Uses a new folder with these files, which is gone afterwards, whatever happens. */
export function withFiles<T>(files: Files, use: (folder: string) => T | Promise<T>): Promise<T> {
  return withFolder((folder) => {
    writeFiles(folder, files);
    return use(folder);
  });
}

/** Writes files into a folder, with the folders around them. */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
