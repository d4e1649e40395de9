import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../configuration/usage-error.ts';

/** The manifests below a path: the file itself, or those of a folder and its folders, by name. Rejects with a {@link UsageError}. */
export async function listManifests(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((error: Error) => {
    throw new UsageError(error.message);
  });
  if (!found.isDirectory()) return [path];
  const entries = await readdir(path, { withFileTypes: true, recursive: true });
  return entries
    .filter(
      (entry) => entry.isFile() && /(?<!\.admit(?:\.snap)?)\.(?:ya?ml|json)$/.test(entry.name),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
