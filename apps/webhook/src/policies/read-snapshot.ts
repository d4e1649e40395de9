import { readErrorText, readText } from '@kubeadmit/files';
import { listFiles } from './list-files.ts';
import type { Problem, Snapshot, SourceText } from './snapshot.ts';

/** What folders hold, and what tells whether it has changed since. */
export interface FolderSnapshot extends Snapshot {
  readonly signature: string;
}

const attempts = 5;

/**
 * Reads files and folders at one moment: what changes while it is read is read again, so that the files of
 * two generations of a mounted folder are never mixed.
 */
export function readSnapshot(paths: readonly string[]): FolderSnapshot {
  for (let attempt = 1; ; attempt++) {
    const list = listFiles(paths);
    const { sources, problems } = readAll(list.files);
    const isSteady = listFiles(paths).signature === list.signature;
    if (isSteady || attempt === attempts) {
      const unsteady = { place: paths.join(', '), message: 'changes faster than it can be read' };
      return {
        sources,
        problems: [...list.problems, ...problems, ...(isSteady ? [] : [unsteady])],
        signature: list.signature,
      };
    }
  }
}

function readAll(paths: readonly string[]): Snapshot {
  const sources: SourceText[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    try {
      sources.push({ name: path, text: readText(path) });
    } catch (error) {
      problems.push({ place: path, message: readErrorText(error) });
    }
  }
  return { sources, problems };
}
