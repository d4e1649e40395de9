import type { Output, Terminal } from './terminal.ts';

/** Fewer requests than this take so little time that no progress is shown. */
export const manyRequests = 500;

/** Tells how far a long task is, on one line that goes away; silent unless on a terminal. */
export class Progress {
  /** The output for progress, if any. */
  readonly #output: Output | undefined;
  #shown = false;
  #lastPercent = -1;

  /** `size` is how much there is to do: small tasks say nothing. */
  constructor(terminal: Pick<Terminal, 'stderr'>, size: number, smallest: number) {
    this.#output = size >= smallest && terminal.stderr.isTTY ? terminal.stderr : undefined;
  }

  /** Shows the share of a task that is done. */
  show(task: string, done: number, total: number): void {
    if (this.#output === undefined) return;
    const percent = Math.floor((done / Math.max(total, 1)) * 100);
    if (percent === this.#lastPercent && done < total) return;
    this.#lastPercent = percent;
    this.#shown = true;
    this.#output.write(`\r\u001b[K${task} ${percent} %`);
  }

  /** Takes the line away. */
  clear(): void {
    if (this.#shown) this.#output?.write('\r\u001b[K');
    this.#shown = false;
    this.#lastPercent = -1;
  }
}
