import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A program that goes on until it is stopped. */
export interface Running {
  /** Its first line of output that says what is waited for. */
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
      if (line.includes(awaited)) resolve({ line, stop: (signal) => stop(child, signal) });
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${program} ended`)));
  });
}

function stop(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

/** What a program wrote, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program with a text on its standard input. */
export function runProgram(program: string, args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, ...written }));
  });
}
