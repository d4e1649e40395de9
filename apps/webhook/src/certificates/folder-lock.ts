import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const retryMilliseconds = 20;
// A process that was killed leaves its lock behind. Certificates take well under a second to make.
const abandonedMilliseconds = 10_000;

/** Runs an action while no other process runs one with the lock of the same folder. */
export async function withFolderLock<Result>(
  folder: string,
  action: () => Promise<Result>,
): Promise<Result> {
  const path = join(folder, '.lock');
  while (!acquire(path)) await sleep(retryMilliseconds);
  try {
    return await action();
  } finally {
    rmSync(path, { force: true });
  }
}

function acquire(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const held = statSync(path, { throwIfNoEntry: false });
    if (held !== undefined && Date.now() - held.mtimeMs > abandonedMilliseconds) {
      rmSync(path, { force: true });
    }
    return false;
  }
}
