#!/usr/bin/env node
import * as module from 'node:module';

// Modules loaded from here on use the compile cache of Node 22.8 and newer.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

const { runProgram } = await import('./run-program.ts');
process.exitCode = await runProgram(process.argv.slice(2));
