import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { stopProgram } from '@kubeadmit/test-support';

/** A program that runs until it is stopped. */
export interface Running {
  /** Its first line of output that matches. */
  readonly line: string;
  /** Ends it, by default as one asks for it. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program and waits for a line of its output that holds a text. */
export function startProgram(
  program: string,
  args: readonly string[],
  awaited: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const env = { ...process.env, ...environment };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(awaited)) resolve({ line, stop: (signal) => stopProgram(child, signal) });
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${program} ended`)));
  });
}
