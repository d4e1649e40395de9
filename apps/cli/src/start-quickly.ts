import module from 'node:module';
import { versions } from 'node:process';
import { setFlagsFromString } from 'node:v8';

// What is loaded after this module is compiled once and kept, by Node 22.8 and newer.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

// Node 20 has no quick optimizing compiler. Its thorough one takes longer than most of what it makes faster
// in a run of a second, so that it begins later.
if (versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=600000');
