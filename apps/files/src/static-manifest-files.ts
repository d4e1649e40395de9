import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The first minor version of Kubernetes whose servers read manifests from their own disk. */
const firstMinor = 36;

/**
 * What is wrong with an option about static manifests for a server of a version, such as `1.35`; `undefined` where it
 * reads them, as the newest version does, which stands for none.
 */
export function staticManifestsProblem(
  option: string,
  version: string | undefined,
): string | undefined {
  const minor = Number(/^v?1\.(\d+)/.exec(version ?? '')?.[1] ?? firstMinor);
  return minor < firstMinor
    ? `Kubernetes ${version} reads no static manifests: ${option} is for 1.${firstMinor} and newer`
    : undefined;
}

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
