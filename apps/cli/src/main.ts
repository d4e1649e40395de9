#!/usr/bin/env node
import './start-quickly.ts';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { ProcessTerminal } from './process-terminal.ts';
import { exitCode } from './terminal.ts';

// What is told of a mistake of the program are then places in its sources.
const isDebugging = Boolean(process.env['DEBUG']);
if (isDebugging) process.setSourceMapsEnabled(true);

const terminal = new ProcessTerminal();

async function start(): Promise<void> {
  try {
    const { run } = await import('./program.ts');
    const checkThread = fileURLToPath(new URL('check-thread.js', import.meta.url));
    process.exitCode = await run(process.argv.slice(2), terminal, checkThread);
  } catch (error) {
    // Never 1, which would say that a policy denied.
    const details = isDebugging ? inspect(error) : `${error} (DEBUG=1 shows where)`;
    terminal.stderr.write(`internal error, please report it: ${details}\n`);
    process.exitCode = exitCode.usage;
  }
}

void start().then(() => {
  // Waiting for nothing would give V8 the time to tidy up, which takes 10 ms after a run of 200.
  // Whether writing failed is known one turn later.
  if (terminal.isWritten) process.nextTick(() => process.exit());
});
