#!/usr/bin/env node
import process from 'node:process';
import { inspect } from 'node:util';
import { printable } from './output/style.ts';
import { exitCode } from './process/terminal.ts';
import { ProcessTerminal } from './process-terminal.ts';

// Stack traces then show positions in the sources.
const isDebugging = Boolean(process.env['DEBUG']);
if (isDebugging) process.setSourceMapsEnabled(true);

const terminal = new ProcessTerminal();

async function start(): Promise<void> {
  try {
    const { run } = await import('./program.ts');
    process.exitCode = await run(process.argv.slice(2), terminal);
  } catch (error) {
    // Never 1, which means that a policy denied an object.
    const details = isDebugging ? inspect(error) : `${error} (set DEBUG=1 for a stack trace)`;
    terminal.stderr.write(
      `internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: ${printable(details)}\n`,
    );
    process.exitCode = exitCode.usage;
  }
}

void start().then(() => {
  // Exit without a last garbage collection; a write error is known one turn later.
  if (terminal.isWritten) process.nextTick(() => process.exit());
});
