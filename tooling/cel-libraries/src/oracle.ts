import { spawnSync } from 'node:child_process';
import type { LibraryCase } from './draw.ts';

/** An answer of the oracle, without its identifier. */
export type Answer = Readonly<Record<string, unknown>>;

/** Asks the program that the environment variable ORACLE names, all cases in one process. */
export function askOracle(cases: readonly LibraryCase[]): readonly Answer[] {
  const program = process.env['ORACLE'];
  if (program === undefined || program === '') throw new Error('ORACLE does not name a program');
  const input = cases.map((one, index) => JSON.stringify({ id: String(index), ...one })).join('\n');
  const { stdout, status } = spawnSync(program, ['eval'], { input, maxBuffer: 1 << 30 });
  const lines = stdout.toString().trim().split('\n');
  if (status !== 0 || lines.length !== cases.length) {
    throw new Error(
      `the oracle ended with ${status} after ${lines.length} of ${cases.length} answers`,
    );
  }
  return lines.map((line) => {
    const { id: _, ...answer } = JSON.parse(line) as Record<string, unknown>;
    return answer;
  });
}

// Sums of quantities with huge exponents, which ours refuses to write out.
const longest = 50_000;

/** Whether an answer is no example: it shows an address, the text of a Go panic, or a key that is not equal to itself. */
export function isUnstable(answer: Answer): boolean {
  const text = JSON.stringify(answer);
  return text.length > longest || /0x[0-9a-f]{6}|internal error|no such key: NaN/.test(text);
}
