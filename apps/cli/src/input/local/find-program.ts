import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import process from 'node:process';

/**
 * Returns the path of a program in `PATH`. Only absolute folders count: an empty or relative one means the working
 * directory, which may be the checkout of a stranger.
 */
export function findProgram(
  program: string,
  { PATH = '' }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (isAbsolute(program)) return isExecutable(program) ? program : undefined;
  const names = process.platform === 'win32' ? [`${program}.exe`, program] : [program];
  return PATH.split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
