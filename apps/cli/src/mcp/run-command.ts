import { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
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
  const stdout = new KeptOutput();
  const stderr = new KeptOutput();
  const code = await work({
    stdin: Readable.from([]),
    stdout,
    stderr,
    env: {},
    folder,
    print: (output) => stdout.write(output),
  });
  const isError = code === exitCode.usage || code === exitCode.unreachable;
  return toolAnswer([stdout.text, stderr.text], isError);
}

/**
 * The most UTF-16 units of an answer: agents keep answers in their context, and a stranger may have written the files.
 */
const longestAnswer = 2 ** 20;

/** Makes an answer of texts, or an error if they are too long; empty texts are left out. */
export function toolAnswer(texts: readonly string[], isError: boolean): ToolAnswer {
  const kept = texts.map((each) => each.trimEnd()).filter((each) => each !== '');
  const length = kept.reduce((sum, each) => sum + each.length, 0);
  if (length <= longestAnswer) return { texts: kept, isError };
  const problem = `error: the answer is longer than ${longestAnswer} characters; name fewer files or one policy`;
  return { texts: [problem], isError: true };
}

/** Collects written text, up to the limit of an answer. */
class KeptOutput extends Writable {
  readonly #decoder: StringDecoder = new StringDecoder();
  #pieces: string[] = [];
  #length = 0;

  constructor() {
    super({ decodeStrings: false });
  }

  get text(): string {
    return this.#pieces.join('');
  }

  override _write(chunk: string | Uint8Array, _encoding: string, done: () => void): void {
    if (this.#length <= longestAnswer) {
      const piece = typeof chunk === 'string' ? chunk : this.#decoder.write(Buffer.from(chunk));
      this.#pieces.push(piece);
      this.#length += piece.length;
    }
    done();
  }
}
