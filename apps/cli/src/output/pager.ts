import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { findProgram } from '../input/local/find-program.ts';
import type { Output, Terminal } from '../process/terminal.ts';

/**
 * Runs `work` with the stream to write to. On a terminal that is the program of `PAGER` (default `less`, which ends at once
 * if everything fits on one screen); otherwise, with an empty `PAGER` or without such a program, it is standard output.
 * Leaving the pager early is not an error.
 */
export async function throughPager(
  { stdout, env }: Terminal,
  work: (output: Output) => Promise<void>,
): Promise<void> {
  const [program, ...args] = (env['PAGER'] ?? 'less').split(/\s+/).filter((each) => each !== '');
  if (stdout.isTTY !== true || program === undefined || program === 'cat') return work(stdout);
  const file = findProgram(program, env);
  if (file === undefined) return work(stdout);
  const isOwn = stdout === process.stdout;
  const child = spawn(file, args, {
    stdio: ['pipe', isOwn ? 'inherit' : 'pipe', 'inherit'],
    env: { LESS: 'FRX', ...env },
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  try {
    await once(child, 'spawn');
  } catch {
    return work(stdout);
  }
  child.stdout?.pipe(stdout, { end: false });
  const output: Output & { isTTY?: boolean } = new PassThrough();
  output.isTTY = true;
  child.stdin?.on('error', () => output.destroy());
  output.on('error', () => undefined);
  if (child.stdin !== null) (output as PassThrough).pipe(child.stdin);
  await work(output);
  output.end();
  await ended;
}
