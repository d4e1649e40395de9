#!/usr/bin/env node
import * as module from 'node:module';

// What is loaded from here on is compiled once and kept, by Node 22.8 and newer.
const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown };
enableCompileCache?.();

const { runProgram } = await import('./run-program.ts');
process.exitCode = await runProgram(process.argv.slice(2));
