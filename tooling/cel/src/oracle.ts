import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A running oracle: takes cases and gives its answers in their order. */
export class Oracle {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string, command: string) {
    this.#process = spawn(program, [command]);
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** Asks a batch of cases at once. */
  async ask(cases: readonly unknown[]): Promise<readonly Record<string, unknown>[]> {
    this.#process.stdin.write(cases.map((input) => `${JSON.stringify(input)}\n`).join(''));
    const answers: Record<string, unknown>[] = [];
    while (answers.length < cases.length) {
      const { value, done } = await this.#lines.next();
      if (done === true) throw new Error(`the oracle ended after ${answers.length} answers`);
      answers.push(JSON.parse(value) as Record<string, unknown>);
    }
    return answers;
  }

  close(): void {
    this.#process.stdin.end();
  }
}
