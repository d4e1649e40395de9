import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the program for the tests that run it; turbo has built it already. */
export function setup(): void {
  if (process.env['TURBO_HASH'] !== undefined) return;
  const folder = fileURLToPath(new URL('..', import.meta.url));
  execFileSync('node_modules/.bin/tsc', ['-b', 'tsconfig.build.json'], {
    cwd: folder,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
