import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type JudgedStretch, type Stretch, stretchSize } from './judge.ts';

/** What threads do. */
export interface ThreadOptions {
  /** The file that a thread runs. */
  readonly file: string;
  readonly threads: number;
  /** What each thread is given. */
  readonly setup: unknown;
  /** How many subjects there are. */
  readonly count: number;
  /** Limits of each thread; default those of Node. */
  readonly resourceLimits?: { readonly maxOldGenerationSizeMb: number } | undefined;
}

/** A subject that ended the thread that was to judge it, and how. */
export interface FailedStretch extends Stretch {
  readonly failure: string;
}

/** Stretches that a thread has at once, so that it need not wait for the next one. */
const perThread = 2;

/** Answers that wait for an earlier one, for each thread: nothing is asked that far ahead of what is written. */
const ahead = 8;

/** The young generation of a thread, in MB: most of what judging a stretch leaves behind fits. */
const youngGeneration = 12;

/** A thread with what it was asked and has not answered, the oldest first. */
interface Thread {
  readonly worker: Worker;
  readonly asked: Stretch[];
  /** Whether it has said that it is ready, so that what ends it is what it was asked. */
  isReady: boolean;
}

/**
 * Threads that judge the subjects of a check.
 *
 * What a thread was busy with when it ended is asked again in halves, and what ends a thread by itself is said of its
 * subject.
 */
export class ThreadPool {
  readonly #options: ThreadOptions;
  readonly #threads = new Set<Thread>();
  readonly #answers = new Map<number, JudgedStretch | FailedStretch>();
  /** What was taken back from threads that ended, in order. */
  #again: Stretch[] = [];
  #nextFrom = 0;
  #wanted = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #isClosed = false;

  constructor(options: ThreadOptions) {
    this.#options = options;
    boundHeaps();
    for (let index = 0; index < options.threads; index++) this.#start();
  }

  /** What became of all subjects, in their order; the threads end with the last. Throws where they cannot start. */
  async *answers(): AsyncGenerator<JudgedStretch | FailedStretch> {
    for (let next = 0; next < this.#options.count; ) {
      const answer = await this.#answerAt(next);
      yield answer;
      next = answer.to;
    }
    // The end of a report may be long: it needs neither the threads nor their memory.
    await this.close();
  }

  /** Ends all threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  /** The answer that begins with a subject, when it is there. */
  async #answerAt(from: number): Promise<JudgedStretch | FailedStretch> {
    this.#wanted = from;
    for (const thread of this.#threads) this.#ask(thread);
    for (;;) {
      const answer = this.#answers.get(from);
      if (answer !== undefined) {
        this.#answers.delete(from);
        return answer;
      }
      if (this.#failure !== undefined) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #start(): void {
    const { file, setup, resourceLimits } = this.#options;
    const worker = new Worker(file, {
      workerData: setup,
      resourceLimits: { maxYoungGenerationSizeMb: youngGeneration, ...resourceLimits },
    });
    const thread: Thread = { worker, asked: [], isReady: false };
    let reason: string | undefined;
    this.#threads.add(thread);
    worker.on('message', (answer: JudgedStretch | 'ready') => {
      if (answer === 'ready') {
        thread.isReady = true;
        return;
      }
      thread.asked.shift();
      this.#take(answer);
      this.#ask(thread);
    });
    worker.on('error', (error: unknown) => {
      reason = reasonOf(error);
    });
    worker.on('messageerror', (error) => {
      reason = reasonOf(error);
      void worker.terminate();
    });
    worker.on('exit', (code) => {
      this.#threads.delete(thread);
      if (!this.#isClosed) this.#replace(thread, reason ?? `it ended with code ${code}`);
    });
    this.#ask(thread);
  }

  /** Goes on after a thread has ended, with another one. */
  #replace({ asked, isReady }: Thread, reason: string): void {
    const [busy, ...others] = asked;
    if (!isReady || busy === undefined) {
      this.#failure = new Error(`a thread that checks manifests did not start: ${reason}`);
      this.#wake?.();
      return;
    }
    this.#again.push(...others);
    if (busy.to - busy.from === 1) {
      this.#take({ ...busy, failure: reason });
    } else {
      const middle = (busy.from + busy.to) >> 1;
      this.#again.push({ from: busy.from, to: middle }, { from: middle, to: busy.to });
    }
    this.#again.sort((left, right) => left.from - right.from);
    this.#start();
  }

  #take(answer: JudgedStretch | FailedStretch): void {
    this.#answers.set(answer.from, answer);
    this.#wake?.();
  }

  /** Gives a thread as much to do as it may have. */
  #ask(thread: Thread): void {
    while (thread.asked.length < perThread) {
      const stretch = this.#next();
      if (stretch === undefined) return;
      thread.asked.push(stretch);
      thread.worker.postMessage(stretch);
    }
  }

  #next(): Stretch | undefined {
    const again = this.#again.shift();
    if (again !== undefined) return again;
    const { count, threads } = this.#options;
    const from = this.#nextFrom;
    if (from >= count || from >= this.#wanted + ahead * threads * stretchSize) return undefined;
    this.#nextFrom = Math.min(count, from + stretchSize);
    return { from, to: this.#nextFrom };
  }
}

/**
 * Bounds how far the heaps of all threads grow, that of the program's first one among them.
 *
 * Left to itself, V8 lets each grow to some 150 MB before it looks at what of it is in use, which are 40 MB for 10,000
 * manifests. With several of them beside each other, half as much again as is in use is enough.
 */
function boundHeaps(): void {
  setFlagsFromString('--initial-old-space-size=48');
  setFlagsFromString('--heap-growing-percent=40');
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it ran out of memory';
  return error instanceof Error ? error.message : String(error);
}
