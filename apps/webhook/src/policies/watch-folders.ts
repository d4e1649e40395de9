import { listFiles } from './list-files.ts';
import { type FolderSnapshot, readSnapshot } from './read-snapshot.ts';

const pollMilliseconds = 500;

/**
 * Tells of what files and folders hold whenever it has changed and then stayed the same for half a second:
 * who copies several files is not taken at half of them.
 *
 * Asks the file system instead of waiting for its events, which network and container file systems do not
 * send for everything.
 *
 * @returns what ends it
 */
export function watchFolders(
  paths: readonly string[],
  first: FolderSnapshot,
  changed: (snapshot: FolderSnapshot) => void,
): () => void {
  let used = first.signature;
  let seen = used;
  const timer = setInterval(() => {
    const { signature } = listFiles(paths);
    if (signature !== used && signature === seen) {
      const snapshot = readSnapshot(paths);
      used = snapshot.signature;
      changed(snapshot);
    }
    seen = signature;
  }, pollMilliseconds);
  return () => clearInterval(timer);
}
