import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { readErrorText } from '@kubeadmit/files';
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
      const bytes = readFileSync(path);
      if (isUtf8(bytes)) sources.push({ name: path, text: bytes.toString('utf8') });
      else problems.push({ place: path, message: 'not UTF-8 text' });
    } catch (error) {
      problems.push({ place: path, message: readErrorText(error) });
    }
  }
  return { sources, problems };
}
