import { writeSync } from 'node:fs';
import process from 'node:process';
import { writeErrorText } from './input/streams.ts';
import { exitCode, type Output, type Terminal } from './process/terminal.ts';

/** The file descriptor of standard output. */
const standardOutput = 1;

/** The streams of the process: Node creates each on first use, which takes longer than most outputs. */
export class ProcessTerminal implements Terminal {
  readonly env = process.env;
  #stdout: (Output & { readonly errored: Error | null }) | undefined;
  #stderr: Output | undefined;

  get stdin() {
    return process.stdin;
  }

  get stdout(): Output {
    if (this.#stdout === undefined) {
      const { stdout } = process;
      this.#stdout = stdout;
      // A command with its own listener continues without a reader.
      stdout.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EPIPE' && stdout.listenerCount('error') > 1) return;
        this.#endUnwritten(error);
      });
    }
    return this.#stdout;
  }

  print(text: string): void {
    let rest = Buffer.from(text);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSync(standardOutput, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A full non-blocking pipe is handled by its stream. A reader that closed the pipe needs no more output.
      if (code === 'EAGAIN') this.stdout.write(rest);
      else if (code !== 'EPIPE') this.#endUnwritten(error as NodeJS.ErrnoException);
    }
  }

  /** Handles a full disk, or a reader that closes the pipe early: the output is incomplete. */
  #endUnwritten(error: NodeJS.ErrnoException): never {
    this.stderr.write(`error: standard output: ${writeErrorText(error)}\n`);
    process.exit(exitCode.usage);
  }

  get stderr(): Output {
    if (this.#stderr === undefined) {
      this.#stderr = process.stderr;
      this.#stderr.on('error', () => process.exit(exitCode.usage));
    }
    return this.#stderr;
  }

  /** Whether nothing waits to be written, and nothing went wrong with it. */
  get isWritten(): boolean {
    const waiting = (this.#stdout?.writableLength ?? 0) + (this.#stderr?.writableLength ?? 0);
    return waiting === 0 && (this.#stdout?.errored ?? null) === null;
  }
}
