import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { stopProgram } from '@kubeadmit/test-support';

/** A program that runs until it is stopped. */
export interface Running {
  /** Its first line of output that matches. */
  readonly line: string;
  /** Ends it, by default as one asks for it. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts a program and waits for a line of its output that holds a text.
 *
 * @param log the file that its output is also written to
 */
export function startProgram(
  program: string,
  args: readonly string[],
  awaited: string,
  environment: Readonly<Record<string, string>> = {},
  log?: string,
): Promise<Running> {
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const outputs = [child.stdout, child.stderr];
  if (log !== undefined) {
    const file = createWriteStream(log);
    for (const output of outputs) output.pipe(file);
  }
  return new Promise((resolve, reject) => {
    for (const input of outputs) {
      createInterface({ input }).on('line', (line) => {
        if (line.includes(awaited)) resolve({ line, stop: (signal) => stopProgram(child, signal) });
      });
    }
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${program} ended`)));
  });
}
