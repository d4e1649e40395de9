import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from './snapshot.ts';

/** The files that paths lead to, and what stands in the way. */
export interface FileList {
  readonly files: readonly ListedFile[];
  readonly problems: readonly Problem[];
  /** Differs when any of the files is another one or has changed. */
  readonly signature: string;
}

/** A file and what tells whether it has changed. */
export interface ListedFile {
  readonly path: string;
  readonly signature: string;
}

const manifestName = /(?<!\.admit(?:\.snap)?)\.(?:ya?ml|json)$/;

/**
 * Lists files and, recursively, the manifests (`*.yaml`, `*.yml`, `*.json`) in folders, by name. Names that
 * begin with a dot are passed over: kubelet keeps what it mounts in `..data` and exchanges that as a whole.
 */
export function listFiles(paths: readonly string[]): FileList {
  const files: ListedFile[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    try {
      const stats = statSync(path);
      if (stats.isDirectory()) addFolder(path, [], { files, problems });
      else files.push(listed(path, stats));
    } catch (error) {
      problems.push({ place: path, message: readErrorText(error) });
    }
  }
  const parts = [
    ...files.map(({ path, signature }) => `${path} ${signature}`),
    ...problems.map(({ place, message }) => `${place} ${message}`),
  ];
  return { files, problems, signature: parts.join('\n') };
}

interface Found {
  readonly files: ListedFile[];
  readonly problems: Problem[];
}

function addFolder(folder: string, above: readonly string[], found: Found): void {
  // A link may lead back to where it is.
  const real = realpathSync.native(folder);
  if (above.includes(real)) return;
  const entries = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    try {
      addEntry(entry, path, [...above, real], found);
    } catch (error) {
      found.problems.push({ place: path, message: readErrorText(error) });
    }
  }
}

function addEntry(entry: Dirent, path: string, above: readonly string[], found: Found): void {
  const isManifest = manifestName.test(entry.name);
  if (!isManifest && !entry.isDirectory() && !entry.isSymbolicLink()) return;
  const stats = statSync(path);
  if (stats.isDirectory()) addFolder(path, above, found);
  else if (isManifest) found.files.push(listed(path, stats));
}

function listed(path: string, { dev, ino, size, mtimeMs, ctimeMs }: Stats): ListedFile {
  return { path, signature: [dev, ino, size, mtimeMs, ctimeMs].join(' ') };
}

/** The words for why a file cannot be read. */
export function readErrorText(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'no such file or folder';
  if (code === 'EACCES') return 'may not be read';
  return error instanceof Error ? error.message : String(error);
}
