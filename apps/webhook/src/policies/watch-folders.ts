import { listFiles } from './list-files.ts';
import { type FolderSnapshot, readSnapshot } from './read-snapshot.ts';

const pollMilliseconds = 500;
const patienceMilliseconds = 3_000;

/**
 * Reports the contents of files and folders after a change.
 *
 * It waits until they have been the same for half a second, so that several copied files are used together. It
 * waits three seconds at most, so that files that keep changing are used, too.
 *
 * Polls the file system instead of listening to its events, which network and container file systems do not send
 * for every change.
 *
 * @returns a function that ends the watch
 */
export function watchFolders(
  paths: readonly string[],
  first: FolderSnapshot,
  changed: (snapshot: FolderSnapshot) => void,
): () => void {
  let used = first.signature;
  let seen = used;
  let changingSince: number | undefined;
  const timer = setInterval(() => {
    const { signature } = listFiles(paths);
    const now = performance.now();
    if (signature === used) changingSince = undefined;
    else {
      changingSince ??= now;
      const isLate = now - changingSince >= patienceMilliseconds;
      if (signature === seen || isLate) {
        const snapshot = readSnapshot(paths, { mayBeChanging: isLate });
        used = snapshot.signature;
        changingSince = undefined;
        changed(snapshot);
      }
    }
    seen = signature;
  }, pollMilliseconds);
  return () => clearInterval(timer);
}
