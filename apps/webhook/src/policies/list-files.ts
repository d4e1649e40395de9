import { listManifests, type ManifestFile } from '@kubeadmit/files';
import type { Problem } from './snapshot.ts';

/** The files below some paths, and the problems with them. */
export interface FileList {
  /** Their paths. */
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
  /** A string that differs if any file is added, removed or changed. */
  readonly signature: string;
}

/** Lists files and, recursively, the manifests in folders. */
export function listFiles(paths: readonly string[]): FileList {
  const { files, problems } = listManifests(paths);
  const parts = [
    ...files.map(signatureOf),
    ...problems.map(({ path, message }) => `${path} ${message}`),
  ];
  return {
    files: files.map(({ path }) => path),
    problems: problems.map(({ path, message }) => ({ place: path, message })),
    signature: parts.join('\n'),
  };
}

function signatureOf({ path, stats }: ManifestFile): string {
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return [path, dev, ino, size, mtimeMs, ctimeMs].join(' ');
}
