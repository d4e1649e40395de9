#!/usr/bin/env node
import process from 'node:process';
import { run } from './program.ts';

// A reader that leaves early (`| head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), process);
