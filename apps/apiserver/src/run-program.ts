import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readErrorText, replaceFile } from '@kubeadmit/files';
import { UnknownVersionError } from '@kubeadmit/schemas';
import { type ProgramOptions, readOptions } from './configuration/read-options.ts';
import { UsageError } from './configuration/usage-error.ts';
import { LoadError } from './loading/load-error.ts';
import { runCommand } from './run-command.ts';
import { type RunningApiServer, startApiServer } from './start-api-server.ts';
import { StoreError } from './stores/store-error.ts';

/**
 * Runs the program until it receives a signal or its command has ended, and returns the exit code.
 *
 * The code is that of the command, 0 after a signal, 2 for invalid options and manifests, and 4 for a store that
 * cannot be opened.
 */
export async function runProgram(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args, {
      writeOut: (text) => process.stdout.write(text),
      // Usage errors are reported below.
      writeErr: () => {},
    });
    if (!options) return 0;
    return await serve(options);
  } catch (error) {
    const code = exitCodeOf(error);
    if (code === undefined) throw error;
    for (const line of (error as Error).message.split('\n')) {
      process.stderr.write(`error: ${line}\n`);
    }
    return code;
  }
}

async function serve({ command, writeKubeconfig, ...options }: ProgramOptions): Promise<number> {
  const server = await startApiServer(options);
  try {
    if (writeKubeconfig !== undefined) keepKubeconfig(writeKubeconfig, server);
    if (command.length > 0) return await runFor(command, server);
    process.stderr.write(`serving ${server.url}\n`);
    await untilStopped();
    return 0;
  } finally {
    await server.close();
  }
}

/** Runs a command with a kubeconfig that is gone afterwards. */
async function runFor(command: readonly string[], server: RunningApiServer): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kubeadmit-'));
  try {
    const file = join(folder, 'kubeconfig');
    keepKubeconfig(file, server);
    return await runCommand(command, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// The file contains an administrator's key.
function keepKubeconfig(file: string, { kubeconfig }: RunningApiServer): void {
  try {
    replaceFile(file, kubeconfig, 0o600);
  } catch (error) {
    throw new UsageError(`${file}: ${readErrorText(error)}`);
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof StoreError) return 4;
  const isUsage =
    error instanceof UsageError ||
    error instanceof LoadError ||
    error instanceof UnknownVersionError;
  return isUsage ? 2 : undefined;
}
