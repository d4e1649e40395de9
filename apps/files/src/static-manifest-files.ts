import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The first minor version of Kubernetes whose servers read manifests from their own disk. */
const firstMinor = 36;

/**
 * Returns why a server version such as `1.35` does not support an option for static manifests, or `undefined` if it
 * does. Without a version, the newest one is assumed.
 */
export function staticManifestsProblem(
  option: string,
  version: string | undefined,
): string | undefined {
  const minor = Number(/^v?1\.(\d+)/.exec(version ?? '')?.[1] ?? firstMinor);
  return minor < firstMinor
    ? `Kubernetes ${version} does not support static manifests; ${option} requires 1.${firstMinor} and newer`
    : undefined;
}

/**
 * Returns the files that kube-apiserver reads from a folder of static manifests (`staticManifestsDir`), sorted by
 * name.
 *
 * These are the files directly in the folder that end in `.yaml`, `.yml` or `.json`.
 *
 * @throws the file system's error if the folder cannot be read
 */
export function staticManifestFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && /\.(?:ya?ml|json)$/i.test(entry.name))
    .map(({ name }) => join(folder, name))
    .sort((a, b) => (a < b ? -1 : 1));
}
