import type { Terminal } from '../process/terminal.ts';
import { Changes } from './changes.ts';

/** An event that can occur while files are watched. */
export type WatchEvent =
  | { readonly kind: 'change' }
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'end' };

/** The events of a watch, one after the other: keys, changes of files, and the end of standard input. */
export class WatchEvents {
  readonly changes: Changes = new Changes(() => this.#push({ kind: 'change' }));
  readonly #stdin: Terminal['stdin'] & { setRawMode?: (raw: boolean) => void; isTTY?: boolean };
  readonly #queue: WatchEvent[] = [];
  #waiting: ((event: WatchEvent) => void) | undefined;

  constructor({ stdin }: Terminal) {
    this.#stdin = stdin;
    if (this.#stdin.isTTY === true) this.#stdin.setRawMode?.(true);
    stdin.on('data', this.#read);
    stdin.on('end', this.#end);
    stdin.on('error', this.#end);
    stdin.resume();
  }

  /** The next event; changes that came together are one. */
  next(): Promise<WatchEvent> {
    const event = this.#queue.shift();
    if (event !== undefined) return Promise.resolve(event);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  close(): void {
    this.changes.close();
    this.#stdin.off('data', this.#read);
    this.#stdin.off('end', this.#end);
    this.#stdin.off('error', this.#end);
    if (this.#stdin.isTTY === true) this.#stdin.setRawMode?.(false);
    this.#stdin.pause();
  }

  readonly #read = (chunk: Buffer | string): void => {
    for (const key of String(chunk)) this.#push({ kind: 'key', key });
  };

  readonly #end = (): void => this.#push({ kind: 'end' });

  #push(event: WatchEvent): void {
    const { kind } = event;
    if (kind === 'change' && this.#queue.some((each) => each.kind === kind)) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#queue.push(event);
    else waiting(event);
  }
}
