import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { exitCode, type Terminal } from '../process/terminal.ts';

/** The answer of a tool. */
export interface ToolAnswer {
  /** The results, and after them warnings and errors, if there are any. */
  readonly texts: readonly string[];
  /** Whether the arguments are invalid, inputs could not be read, or nothing was checked. */
  readonly isError: boolean;
}

/** The surroundings of a tool. */
export interface ToolHost {
  /** The real path of the only folder that may be read, which is the working directory. */
  readonly folder: string;
  /** Runs the program with its arguments, and returns the exit code. */
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
}

/** Runs a command on files of the folder, and returns the output. */
export function runCommand(
  args: readonly string[],
  { folder, run }: ToolHost,
): Promise<ToolAnswer> {
  return captured(folder, (terminal) => run(args, terminal));
}

/**
 * Calls a function with a terminal without input whose output is kept.
 *
 * @param work returns the exit code
 */
export async function captured(
  folder: string,
  work: (terminal: Terminal) => Promise<number>,
): Promise<ToolAnswer> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const printed = [text(stdout), text(stderr)];
  const code = await work({
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: {},
    folder,
    print: (output) => stdout.write(output),
  }).finally(() => {
    stdout.end();
    stderr.end();
  });
  const texts = (await Promise.all(printed)).map((each) => each.trimEnd());
  const isError = code === exitCode.usage || code === exitCode.unreachable;
  return { texts: texts.filter((each) => each !== ''), isError };
}
