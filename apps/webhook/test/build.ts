import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the program for the tests that run it; turbo has built it already. */
export async function setup(): Promise<void> {
  if (process.env['TURBO_HASH'] !== undefined) return;
  await build({ root: fileURLToPath(new URL('..', import.meta.url)), logLevel: 'warn' });
}
