import { writeSync } from 'node:fs';
import { readErrorText } from './read-error-text.ts';

const busyMilliseconds = 10;

/**
 * Writes complete lines to an open file, synchronously.
 *
 * A write error does not stop the program; the line is lost. The first failure is reported, and the number of lost
 * lines is reported once writing works again.
 */
export class LineFile {
  readonly #descriptor: number;
  readonly #what: string;
  readonly #tell: (text: string) => void;
  #problem = '';
  #lost = 0;
  #isCut = false;

  /**
   * @param descriptor the descriptor of the file
   * @param what the name of the lines in messages, such as `the log`
   * @param tell receives reports about lost lines (default: standard error)
   */
  constructor(descriptor: number, what: string, tell: (text: string) => void = tellByError) {
    this.#descriptor = descriptor;
    this.#what = what;
    this.#tell = tell;
  }

  /** Why the last line could not be written; empty when it was. */
  get problem(): string {
    return this.#problem;
  }

  /** Writes a line, which ends with its line feed; never throws. */
  write(line: string): void {
    try {
      // A line that was only partly written ends here, so that the next line stays separate.
      this.#writeAll(Buffer.from(this.#isCut ? `\n${line}` : line));
    } catch (error) {
      this.#lost++;
      if (this.#problem !== '') return;
      this.#problem = readErrorText(error);
      this.#tell(`${this.#what} cannot be written, so its lines are lost: ${this.#problem}`);
      return;
    }
    if (this.#problem === '') return;
    this.#tell(`${this.#what} can be written again; lost lines: ${this.#lost}`);
    this.#problem = '';
    this.#lost = 0;
  }

  #writeAll(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.#descriptor, bytes, at);
        this.#isCut = at < bytes.length;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        // The reader is slow.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMilliseconds);
      }
    }
  }
}

function tellByError(text: string): void {
  try {
    writeSync(2, `error: ${text}\n`);
  } catch {
    // There is no other place to report it.
  }
}
