import { lstatSync, type Stats, statSync } from 'node:fs';
import { StoreError } from './store-error.ts';

const root = 0;
const writableForAll = 0o002;

/**
 * Makes sure that a folder, if it exists, was made by the user of this process or by root. In a shared place such as
 * `/tmp`, another user could have put keys there that this user knows.
 *
 * @throws StoreError otherwise
 */
export function requireOwnFolder(folder: string): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  for (const look of [lstatSync, statSync]) {
    const found = look(folder, { throwIfNoEntry: false });
    const problem = found && ownerProblem(found, own);
    if (problem !== undefined) throw new StoreError(`${folder} ${problem}`);
  }
}

/** Returns why others can change a folder; undefined if they cannot. */
export function ownerProblem(
  found: Pick<Stats, 'uid' | 'mode' | 'isSymbolicLink'>,
  own: number,
): string | undefined {
  if (found.uid !== own && found.uid !== root) {
    return `belongs to another user (${found.uid}); use a folder of your own, or change its owner`;
  }
  if (found.isSymbolicLink() || (found.mode & writableForAll) === 0) return undefined;
  return 'can be changed by all users; remove it, or change its mode to 0700';
}
