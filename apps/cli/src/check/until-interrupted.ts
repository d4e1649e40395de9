import process from 'node:process';
import type { Terminal } from '../process/terminal.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a function that writes a file, and removes the incomplete file if the process is interrupted or the function
 * fails. The process then ends by the signal.
 */
export async function untilInterrupted<T>(
  terminal: Terminal,
  writer: { readonly abandon: () => void },
  work: () => Promise<T>,
): Promise<T> {
  const abandon = (): void => writer.abandon();
  const interrupted = (signal: NodeJS.Signals): void => {
    abandon();
    terminal.stderr.write(`error: interrupted by ${signal}; the report is incomplete\n`);
    stop();
    process.kill(process.pid, signal);
  };
  const stop = (): void => {
    for (const signal of signals) process.off(signal, interrupted);
    process.off('exit', abandon);
  };
  for (const signal of signals) process.on(signal, interrupted);
  process.on('exit', abandon);
  try {
    return await work();
  } finally {
    stop();
    abandon();
  }
}
