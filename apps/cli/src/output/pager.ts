import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import type { Output, Terminal } from '../terminal.ts';

/**
 * Gives `work` where to write: the program of `PAGER` (default `less`, which ends at once where all fits on one screen)
 * where standard output is a terminal, and standard output itself elsewhere, with an empty `PAGER` and where there is no
 * such program. Whoever leaves the pager early has seen enough.
 */
export async function throughPager(
  { stdout, env }: Terminal,
  work: (output: Output) => Promise<void>,
): Promise<void> {
  const [program, ...args] = (env['PAGER'] ?? 'less').split(/\s+/).filter((each) => each !== '');
  if (stdout.isTTY !== true || program === undefined || program === 'cat') return work(stdout);
  const isOwn = stdout === process.stdout;
  const child = spawn(program, args, {
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
