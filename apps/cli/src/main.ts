#!/usr/bin/env node
import './start-quickly.ts';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { writeErrorText } from './input/streams.ts';
import { exitCode } from './terminal.ts';

// A full disk, or a reader that leaves early: what was printed is not what there was to say. A command that listens
// itself goes on without its reader.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' && process.stdout.listenerCount('error') > 1) return;
  process.stderr.write(`error: standard output: ${writeErrorText(error)}\n`);
  process.exit(exitCode.usage);
});
process.stderr.on('error', () => process.exit(exitCode.usage));

// What is told of a mistake of the program are then places in its sources.
const isDebugging = Boolean(process.env['DEBUG']);
if (isDebugging) process.setSourceMapsEnabled(true);

async function start(): Promise<void> {
  try {
    const { run } = await import('./program.ts');
    const checkThread = fileURLToPath(new URL('check-thread.js', import.meta.url));
    process.exitCode = await run(process.argv.slice(2), process, checkThread);
  } catch (error) {
    // Never 1, which would say that a policy denied.
    const details = isDebugging ? inspect(error) : `${error} (DEBUG=1 shows where)`;
    process.stderr.write(`internal error, please report it: ${details}\n`);
    process.exitCode = exitCode.usage;
  }
}

void start().then(() => {
  // Waiting for nothing would give V8 the time to tidy up, which takes 10 ms after a run of 200.
  const { stdout, stderr } = process;
  const isWritten = stdout.writableLength === 0 && stderr.writableLength === 0;
  // Whether writing failed is known one turn later.
  if (isWritten && stdout.errored === null) process.nextTick(() => process.exit());
});
