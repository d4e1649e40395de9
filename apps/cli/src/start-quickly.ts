import * as module from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { keepCode } from './code-cache.ts';

const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown };

// Node 20 has no quick optimizing compiler. Its thorough one takes longer than most of what it makes faster
// in a run of a second, so that it begins later.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=600000');

// What is loaded after this module is compiled once and kept: by Node 22.8 and newer, or else by ourselves.
if (enableCompileCache) enableCompileCache();
else {
  // Code that has not run for a while would be forgotten, and not be kept.
  setFlagsFromString('--no-flush-bytecode');
  const [command = ''] = process.argv.slice(2);
  keepCode(join(import.meta.dirname, 'parts'), /^[a-z]+$/.test(command) ? command : 'other');
}
