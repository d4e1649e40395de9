import { PassThrough, Readable } from 'node:stream';
import type { Terminal } from '../src/process/terminal.ts';
import { run } from '../src/program.ts';

/** The result of running the program in this process. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program from its source, in this process. */
export async function runHere(
  args: readonly string[],
  options: {
    readonly stdin?: string;
    readonly isTTY?: boolean;
    readonly env?: Terminal['env'];
  } = {},
): Promise<Ran> {
  const stdout = capture(options.isTTY === true);
  const stderr = capture(options.isTTY === true);
  const terminal: Terminal = {
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: options.env ?? {},
    print: (text) => stdout.stream.write(text),
  };
  const exitCode = await run(args, terminal);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function capture(isTTY: boolean): { stream: PassThrough & { isTTY: boolean }; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = Object.assign(new PassThrough(), { isTTY });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
