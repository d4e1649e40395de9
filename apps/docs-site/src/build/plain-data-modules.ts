import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/**
 * Takes modules of the packages whose names end in `.data.ts` as they are: VitePress would take them for loaders of
 * data and run them when it builds.
 */
export const plainDataModules: Plugin = {
  name: 'plain-data-modules',
  enforce: 'pre',
  load(id) {
    return /\/packages\/[^?]*\.data\.ts$/.test(id) ? readFileSync(id, 'utf8') : undefined;
  },
};
