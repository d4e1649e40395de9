#!/usr/bin/env node
import './start-quickly.ts';
import process from 'node:process';
import { inspect } from 'node:util';
import { exitCode } from './terminal.ts';

// A reader that leaves early (`| head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

async function start(): Promise<void> {
  try {
    const { run } = await import('./program.ts');
    process.exitCode = await run(process.argv.slice(2), process);
  } catch (error) {
    // Never 1, which would say that a policy denied.
    const details = process.env['DEBUG'] ? inspect(error) : `${error} (DEBUG=1 shows where)`;
    process.stderr.write(`internal error, please report it: ${details}\n`);
    process.exitCode = exitCode.usage;
  }
}

void start().then(() => {
  // Waiting for nothing would give V8 the time to tidy up, which takes 10 ms after a run of 200.
  const { stdout, stderr } = process;
  if (stdout.writableLength === 0 && stderr.writableLength === 0) process.exit();
});
