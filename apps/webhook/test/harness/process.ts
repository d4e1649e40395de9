import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The built program. */
export const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** A webhook in a separate process. */
export interface StartedProcess {
  readonly child: ChildProcess;
  readonly port: number;
  readonly operation: number;
  /** The exit code, once the process has ended. */
  readonly ended: Promise<number | null>;
  /** The standard error output of the process and its workers, once all of them have ended. */
  readonly errors: Promise<string>;
  /** The messages of the log until now. */
  readonly messages: readonly string[];
}

/** Starts the program with `policy.yaml` of a folder, where its certificate is made, and waits until it listens. */
export function startProcess(
  folder: string,
  options: readonly string[] = [],
): Promise<StartedProcess> {
  const args = [
    ...[program, '--policies', join(folder, 'policy.yaml'), '--self-signed', join(folder, 'tls')],
    ...['--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', ...options],
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const errors = text(child.stderr);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const messages: string[] = [];
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { message, reviews, operation } = JSON.parse(line) as {
        readonly message: string;
        readonly reviews: number;
        readonly operation: number;
      };
      messages.push(message);
      const ports = { port: reviews, operation };
      if (message === 'listening') resolve({ child, ...ports, ended, errors, messages });
    });
    void ended.then(async (code) => reject(new Error(`ended with ${code}: ${await errors}`)));
  });
}
