import { readErrorText, readText } from '@kubeadmit/files';
import { listFiles } from './list-files.ts';
import type { Problem, Snapshot, SourceText } from './snapshot.ts';

/** The contents of folders, and a signature that changes with them. */
export interface FolderSnapshot extends Snapshot {
  readonly signature: string;
}

/** How to read a snapshot. */
export interface ReadSnapshotOptions {
  /** Whether to use files that change while they are read (default: no). */
  readonly mayBeChanging?: boolean;
}

const attempts = 5;

const emptyText =
  'the file is empty; delete it, or write a comment if it should contain no policies';

/**
 * Reads files and folders at one moment. Files that change in between are read again, so that two generations of a
 * mounted folder are never mixed.
 */
export function readSnapshot(
  paths: readonly string[],
  { mayBeChanging = false }: ReadSnapshotOptions = {},
): FolderSnapshot {
  for (let attempt = 1; ; attempt++) {
    const list = listFiles(paths);
    const { sources, problems } = readAll(list.files, mayBeChanging);
    const isSteady = listFiles(paths).signature === list.signature;
    if (isSteady || attempt === attempts) {
      const isReported = !isSteady && !mayBeChanging;
      const unsteady = {
        place: paths.join(', '),
        message: 'the files changed while they were read; reading them again',
      };
      return {
        sources,
        problems: [...list.problems, ...problems, ...(isReported ? [unsteady] : [])],
        // The next poll detects that the files changed during this one.
        signature: isSteady ? list.signature : `${list.signature}\nunsteady`,
      };
    }
  }
}

function readAll(paths: readonly string[], mayBeChanging: boolean): Snapshot {
  const sources: SourceText[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    try {
      const text = readText(path);
      // A file that is being rewritten may be empty for a moment; without its policies, every request would be allowed.
      if (text === '') problems.push({ place: path, message: emptyText });
      else sources.push({ name: path, text });
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (isGone && mayBeChanging) continue;
      problems.push({ place: path, message: readErrorText(error) });
    }
  }
  return { sources, problems };
}
