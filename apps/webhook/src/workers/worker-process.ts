import cluster, { type Worker } from 'node:cluster';
import { type Order, type Report, started, type Task } from './messages.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Another process that answers, and the tasks that it has been given. */
export class WorkerProcess {
  readonly #worker: Worker;
  readonly #waiting: Map<number, Waiting> = new Map();
  readonly #isStarted: Promise<unknown>;
  #last = 0;

  constructor(ended: (worker: WorkerProcess) => void) {
    this.#worker = cluster.fork();
    this.#isStarted = this.#answer(started.id);
    // Whoever gives it a task hears of its end.
    this.#isStarted.catch(() => undefined);
    this.#worker.on('message', (report: Report) => this.#take(report));
    this.#worker.once('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('a worker process ended'));
      this.#waiting.clear();
      ended(this);
    });
  }

  /** Gives a task, and waits for what becomes of it. */
  async ask<Answer>(task: Task): Promise<Answer> {
    await this.#isStarted;
    const id = ++this.#last;
    const answer = this.#answer(id);
    this.#worker.send({ id, task } satisfies Order);
    return (await answer) as Answer;
  }

  #answer(id: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
    });
  }

  /** Ends the process. */
  end(): void {
    this.#worker.disconnect();
  }

  #take(report: Report): void {
    const waiting = this.#waiting.get(report.id);
    this.#waiting.delete(report.id);
    if (report.problem === undefined) waiting?.resolve(report.value);
    else waiting?.reject(new Error(report.problem));
  }
}
