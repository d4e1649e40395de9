import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isWithin } from '../input/local/boundary.ts';
import { realPath } from '../input/local/paths.ts';
import { CommandFailure } from '../process/terminal.ts';

/**
 * Returns a path that a client named, relative to the folder and without symbolic links.
 *
 * @param folder the real path of the only folder that may be read
 * @throws CommandFailure if it does not exist, leads outside of the folder, or is neither a file nor a folder
 */
export function servedPath(path: string, folder: string): string {
  const full = resolve(folder, path);
  const real = realPath(full);
  // The same message for both: clients do not learn which files exist elsewhere.
  if (real === undefined || !isWithin(real, folder)) {
    throw new CommandFailure(`${path}: no such file or folder in ${folder}`);
  }
  const there = statSync(real);
  if (!there.isFile() && !there.isDirectory()) {
    throw new CommandFailure(`${path}: neither a file nor a folder`);
  }
  const name = relative(folder, real);
  if (name === '') return '.';
  // A dash would be an option, or standard input.
  return name.startsWith('-') ? `./${name}` : name;
}
