import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents one by one.
 *
 * Node's recursive option does not return where no folder can be created, such as below `/proc`.
 *
 * @param mode the permissions of created folders (default: the system's)
 * @throws the system's error
 */
export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let each = resolve(folder); !existsSync(each); each = dirname(each)) missing.push(each);
  for (const each of missing.reverse()) make(each, mode);
}

// Another process may create it at the same time.
function make(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
