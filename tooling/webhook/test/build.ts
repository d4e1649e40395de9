import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the programs that tests run; turbo has built them already. */
export async function setup(): Promise<void> {
  if (process.env['TURBO_HASH'] !== undefined) return;
  for (const app of ['apiserver', 'webhook']) {
    const root = fileURLToPath(new URL(`../../../apps/${app}`, import.meta.url));
    if (!existsSync(`${root}/dist/main.js`)) await build({ root, logLevel: 'warn' });
  }
}
