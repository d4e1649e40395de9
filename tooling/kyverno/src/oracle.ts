import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The commands of the oracle that answer cases. */
export type Command = 'conditions' | 'jmespath' | 'substitute' | 'rules' | 'autogen' | 'validate';

/** One answer: its fields, `panic`, `unencodable` and `unstable` included. */
export type Answer = { readonly [key: string]: unknown };

/** Asks the oracle (environment variable `ORACLE_KYVERNO`) about cases; answers come in the same order. */
export async function askOracle(
  command: Command,
  cases: readonly object[],
  repeat: number,
): Promise<readonly Answer[]> {
  const program = process.env['ORACLE_KYVERNO'];
  if (program === undefined) throw new Error('ORACLE_KYVERNO must name the built oracle-kyverno');
  const child = spawn(program, ['-repeat', String(repeat), command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const [id, item] of cases.entries()) {
    if (!child.stdin.write(`${JSON.stringify({ ...item, id })}\n`))
      await once(child.stdin, 'drain');
  }
  child.stdin.end();
  await once(child, 'close');
  const lines = Buffer.concat(chunks).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => withoutId(JSON.parse(line) as Answer));
}

function withoutId({ id: _id, ...answer }: Answer): Answer {
  return answer;
}
