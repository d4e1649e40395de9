import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The manifests below a path: the file itself, or those of a folder and its folders, by name. Rejects when it is not there. */
export async function listManifests(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
