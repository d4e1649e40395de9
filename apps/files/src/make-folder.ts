import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those around it that are missing, one by one: where no folder can be made, such as below `/proc`,
 * Node's recursive way does not end.
 *
 * @param mode the permissions of what is made; default what the system gives
 * @throws what the system says
 */
export function makeFolder(folder: string, mode?: number): void {
  const missing: string[] = [];
  for (let each = resolve(folder); !existsSync(each); each = dirname(each)) missing.push(each);
  for (const each of missing.reverse()) make(each, mode);
}

// Somebody else may make it at the same time.
function make(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
