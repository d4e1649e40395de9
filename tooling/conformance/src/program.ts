import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { isObject, type Json, type JsonObject, parseJson, printJson } from './json.ts';

/** How many lines may be in progress at once: enough to keep both sides busy, few enough for memory. */
const WINDOW = 256;

/** A running program that answers one JSON line with one JSON line, in order. */
export class LineProgram {
  readonly #name: string;
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;
  readonly #waiting: { resolve(answer: JsonObject): void; reject(reason: Error): void }[] = [];
  #ended: Error | undefined;
  #complaints = '';

  constructor(program: string, args: readonly string[]) {
    this.#name = [program, ...args].join(' ');
    this.#process = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#lines = createInterface({ input: this.#process.stdout });
    this.#lines.on('line', (line) => this.#answer(line));
    this.#process.stderr.on('data', (data: Buffer) => {
      this.#complaints = (this.#complaints + data.toString()).slice(-2000);
    });
    this.#process.stdin.on('error', () => {});
    this.#process.on('error', (problem) => this.#end(problem.message));
    this.#process.on('close', (code) => this.#end(`ended with code ${code}`));
  }

  #answer(line: string): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    try {
      const answer: Json = parseJson(line);
      if (!isObject(answer)) throw new Error('no object');
      waiting.resolve(answer);
    } catch {
      waiting.reject(new Error(`${this.#name}: the answer is no JSON object: ${line}`));
    }
  }

  #end(reason: string): void {
    this.#ended = new Error(`${this.#name}: ${reason}\n${this.#complaints}`.trim());
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended);
  }

  /** Sends a case and resolves with its answer; rejects when the program ended. */
  ask(input: JsonObject): Promise<JsonObject> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process.stdin.write(`${printJson(input)}\n`);
    });
  }

  /** Closes the program's input, so that it ends. */
  close(): void {
    this.#process.stdin.end();
  }
}

/** Calls a function for every item with a limited number in progress, and yields the results in order. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  start: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = [];
  for await (const item of items) {
    const promise = start(item);
    promise.catch(() => {});
    underWay.push(promise);
    if (underWay.length >= WINDOW) yield await (underWay.shift() as Promise<Result>);
  }
  for (const promise of underWay) yield await promise;
}
