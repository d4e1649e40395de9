import { Worker } from 'node:worker_threads';
import { stopwatch } from '../stopwatch.ts';
import { type JudgedStretch, type Stretch, stretchSize } from './judge.ts';

/** The options of a thread pool. */
export interface ThreadOptions {
  /** The file that a thread runs. */
  readonly file: string;
  /** How many threads are to judge, this one among them where it does, by the seconds that one would need for the rest. */
  readonly threads: (secondsLeft: number) => number;
  /** Gives what each thread is given. */
  readonly setup: () => unknown;
  /** How many subjects there are. */
  readonly count: number;
  /** Judges in this thread, which does so while it has nothing to write; default it leaves all to others. */
  readonly judge?: ((stretch: Stretch) => JudgedStretch) | undefined;
  /** Limits of each thread; default those of Node. */
  readonly resourceLimits?: { readonly maxOldGenerationSizeMb: number } | undefined;
}

/** A subject that ended the thread that was to judge it, and how. */
export interface FailedStretch extends Stretch {
  readonly failure: string;
}

/** Stretches that a thread has at once, so that it need not wait for the next one. */
const perThread = 2;

/** The maximum number of results per thread that may wait for an earlier one. */
const ahead = 8;

/** How long this thread judges until it looks whether others are worth their start, in seconds. */
const untilLook = 1;

/** A thread with its unanswered stretches, the oldest first. */
interface Thread {
  readonly worker: Worker;
  readonly asked: Stretch[];
  /** Whether it has started, so that its end is due to a stretch. */
  isReady: boolean;
}

/**
 * Threads that judge the subjects of a check.
 *
 * If a thread ends, its stretches are sent to other threads in halves. A subject that ends a thread alone is
 * reported.
 */
export class ThreadPool {
  readonly #options: ThreadOptions;
  readonly #threads = new Set<Thread>();
  readonly #answers = new Map<number, JudgedStretch | FailedStretch>();
  /** Stretches taken back from threads that ended, in order. */
  #again: Stretch[] = [];
  #nextFrom = 0;
  #wanted = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;
  #isClosed = false;
  #setup: unknown;
  /** How long this thread has judged since it last looked whether others are worth their start, and how much. */
  #own = { seconds: 0, subjects: 0 };

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#grow(0);
  }

  /**
   * Yields the results of all subjects, in order; the threads end with the last one. Throws if they cannot start.
   */
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
      if (this.#judgeHere()) {
        // Threads and signals are only heard between turns.
        await new Promise((resolve) => setImmediate(resolve));
      } else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }

  /** Judges the next stretch in this thread, if it does so, and if there is one that no thread has had. */
  #judgeHere(): boolean {
    const { judge } = this.#options;
    if (judge === undefined) return false;
    const stretch = this.#nextFresh();
    if (stretch === undefined) return false;
    const seconds = stopwatch();
    this.#take(judge(stretch));
    const own = this.#own;
    own.seconds += seconds();
    own.subjects += stretch.to - stretch.from;
    if (own.seconds > untilLook) {
      const left = this.#options.count - this.#nextFrom;
      this.#grow((own.seconds / own.subjects) * left);
      this.#own = { seconds: 0, subjects: 0 };
    }
    return true;
  }

  /** Starts threads that are worth it; each has something to do. */
  #grow(secondsLeft: number): void {
    const { threads, judge, count } = this.#options;
    const left = Math.ceil((count - this.#nextFrom) / stretchSize);
    const others = Math.min(threads(secondsLeft), left) - (judge === undefined ? 0 : 1);
    while (this.#threads.size < others) this.#start();
  }

  #start(): void {
    const { file, setup, resourceLimits } = this.#options;
    this.#setup ??= setup();
    const worker = new Worker(file, {
      workerData: this.#setup,
      resourceLimits,
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
    return this.#again.shift() ?? this.#nextFresh();
  }

  #nextFresh(): Stretch | undefined {
    const { count } = this.#options;
    const from = this.#nextFrom;
    const most = ahead * (this.#threads.size + 1) * stretchSize;
    if (from >= count || from >= this.#wanted + most) return undefined;
    this.#nextFrom = Math.min(count, from + stretchSize);
    return { from, to: this.#nextFrom };
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'it ran out of memory';
  return error instanceof Error ? error.message : String(error);
}
