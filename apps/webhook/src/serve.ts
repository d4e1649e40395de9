import cluster from 'node:cluster';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { CertificateError } from './certificates/pair.ts';
import { ApiError } from './cluster/api-error.ts';
import type { OptionOutput } from './configuration/command.ts';
import type { Configuration } from './configuration/configuration.ts';
import { readOptions } from './configuration/options.ts';
import { UsageError } from './configuration/usage-error.ts';
import { createLog, type Log, standardOutput } from './logging/log.ts';
import { SnapshotRecord } from './policies/snapshot-record.ts';
import { Webhook } from './webhook.ts';
import type { Answerer } from './workers/answerer.ts';
import { LocalAnswerer } from './workers/local-answerer.ts';
import { SeveralAnswerers } from './workers/several-answerers.ts';

const usageExitCode = 2;
const signalMilliseconds = 100;

const output: OptionOutput = {
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
};

/**
 * Serves the webhook until the process receives a signal, and returns the exit code.
 *
 * The code is 0 after a signal, and 2 for options, files or certificates that cannot be used.
 */
export async function serve(args: readonly string[]): Promise<number> {
  try {
    const configuration = readOptions(args, process.env, output);
    if (configuration === undefined) return 0;
    const logOutput = standardOutput();
    const log = createLog(logOutput);
    const ended = untilSignal();
    const start = async (): Promise<Webhook> => {
      const record = new SnapshotRecord();
      const answerer = await createAnswerer(configuration, log, record);
      const webhook = new Webhook(configuration, { answerer, log, logOutput, record });
      await webhook.start();
      return webhook;
    };
    // A signal during startup ends the program at once; the worker processes may get the signal, too.
    const webhook = await Promise.race([start().catch(afterSignals), ended]);
    if (webhook === undefined) return 0;
    await ended;
    await webhook.stop();
    return 0;
  } catch (error) {
    const isExpected =
      error instanceof UsageError ||
      error instanceof CertificateError ||
      error instanceof ApiError ||
      isListenError(error);
    if (!isExpected) throw error;
    process.stderr.write(`error: ${(error as Error).message}\n`);
    return usageExitCode;
  }
}

async function createAnswerer(
  configuration: Configuration,
  log: Log,
  record: SnapshotRecord,
): Promise<Answerer> {
  if (configuration.workers === 1) return new LocalAnswerer(configuration, log, record);
  const exec = fileURLToPath(new URL('worker.js', import.meta.url));
  cluster.setupPrimary({ exec, args: [], execArgv: workerFlags() });
  const several = new SeveralAnswerers(configuration, log, record);
  await several.start();
  return several;
}

// V8 doubles the young generation while requests arrive fast, up to a limit that depends on the machine, without a
// measurable benefit here. A limit set by the user takes precedence.
function workerFlags(): string[] {
  const isSet = /max[-_]semi[-_]space[-_]size/.test(process.env['NODE_OPTIONS'] ?? '');
  return isSet ? process.execArgv : ['--max-semi-space-size=16', ...process.execArgv];
}

// A signal to a group of processes may end a worker before it arrives here.
async function afterSignals(error: unknown): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, signalMilliseconds));
  throw error;
}

function untilSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => resolve(undefined));
  });
}

function isListenError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { syscall = '' } = error as NodeJS.ErrnoException;
  // The first process binds for worker processes.
  return ['listen', 'bind'].includes(syscall);
}
