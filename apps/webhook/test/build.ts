import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const place = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Builds the programs for the tests that run them; turbo has built them already. */
export async function setup(): Promise<void> {
  if (process.env['TURBO_HASH'] !== undefined) return;
  await build({ root: place('..'), logLevel: 'warn' });
  if (existsSync(place('../../apiserver/dist/index.js'))) return;
  await build({ root: place('../../apiserver'), logLevel: 'warn' });
}
