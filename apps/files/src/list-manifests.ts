import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { noFileText, readErrorText } from './read-error-text.ts';

/** The manifests at some paths. */
export interface ManifestFiles {
  readonly files: readonly ManifestFile[];
  /** The paths that cannot be read. */
  readonly problems: readonly PathProblem[];
}

/** A file that may contain manifests. */
export interface ManifestFile {
  readonly path: string;
  readonly stats: Stats;
}

/** Why nothing is read at a path. */
export interface PathProblem {
  readonly path: string;
  readonly message: string;
}

const manifestName = /(?<!\.admit(?:\.snap)?)\.(?:ya?ml|json)$/;

/**
 * Lists files and, recursively, the manifests (`*.yaml`, `*.yml`, `*.json`) in folders, by name.
 *
 * Links are followed, and each folder is listed once for each given path, so that links cannot multiply its files.
 * Names that begin with a dot are skipped: kubelet keeps the files of a volume in `..data` and replaces that folder
 * atomically.
 */
export function listManifests(paths: readonly string[]): ManifestFiles {
  const files: ManifestFile[] = [];
  const problems: PathProblem[] = [];
  for (const path of paths) {
    try {
      const stats = statSync(path);
      if (stats.isDirectory()) addFolder(path, { files, problems, seen: new Set() });
      else files.push({ path, stats });
    } catch (error) {
      problems.push({ path, message: readErrorText(error) });
    }
  }
  return { files, problems };
}

interface Found {
  readonly files: ManifestFile[];
  readonly problems: PathProblem[];
  /** The real paths of the folders that were listed. */
  readonly seen: Set<string>;
}

function addFolder(folder: string, found: Found): void {
  const real = realpathSync.native(folder);
  if (found.seen.has(real)) return;
  found.seen.add(real);
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    try {
      addEntry(entry, path, found);
    } catch (error) {
      found.problems.push({ path, message: readErrorText(error) });
    }
  }
}

function addEntry(entry: Dirent, path: string, found: Found): void {
  const isManifest = manifestName.test(entry.name);
  if (!isManifest && !entry.isDirectory() && !entry.isSymbolicLink()) return;
  const stats = statSync(path);
  if (stats.isDirectory()) addFolder(path, found);
  else if (isManifest && stats.isFile()) found.files.push({ path, stats });
  else if (isManifest) found.problems.push({ path, message: noFileText });
}
