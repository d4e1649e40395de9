import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** The result of running a program. */
export interface Ended {
  /** Absent where a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a program. */
export interface RunOptions {
  readonly cwd?: string;
  /** All of its variables; those of this process where absent. */
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: string;
  /** In milliseconds. */
  readonly timeout?: number;
}

/** Runs a program to its end; rejects where it cannot be started. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { stdin = '', ...options }: RunOptions = {},
): Promise<Ended> {
  const child = spawn(program, args, { ...options, stdio: 'pipe' });
  // A program may end before it has read all of its input.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const [[exitCode], stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { exitCode, stdout, stderr };
}

/** Ends a process, by default as one asks for it, and waits until it has. */
export async function stopProgram(child: ChildProcess, signal?: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
