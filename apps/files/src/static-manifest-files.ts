import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The paths of the files that kube-apiserver reads of a folder of static manifests (`staticManifestsDir`), by their names:
 * those of the folder itself that end in `.yaml`, `.yml` or `.json`.
 *
 * @throws what the file system says of a folder that cannot be read
 */
export function staticManifestFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /\.(?:ya?ml|json)$/i.test(entry.name))
    .map(({ name }) => join(folder, name))
    .sort((a, b) => (a < b ? -1 : 1));
}
