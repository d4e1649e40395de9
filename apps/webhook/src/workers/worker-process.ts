import cluster, { type Worker } from 'node:cluster';
import { errorOf, type Order, type Report, started, type Tasks } from './messages.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A process ended before its task was done. */
export class WorkerEndedError extends Error {}

/** Another process that answers, with its open tasks. */
export class WorkerProcess {
  readonly #worker: Worker;
  readonly #waiting: Map<number, Waiting> = new Map();
  readonly #isStarted: Promise<unknown>;
  readonly #ended: (worker: WorkerProcess, problem: string) => void;
  #end: WorkerEndedError | undefined;
  #last = 0;

  /** @param ended called once when the process has ended, with the reason */
  constructor(ended: (worker: WorkerProcess, problem: string) => void) {
    this.#ended = ended;
    this.#worker = cluster.fork();
    this.#isStarted = this.#answer(started.id);
    // The caller of a task receives the error.
    this.#isStarted.catch(() => undefined);
    this.#worker.on('message', (report: Report) => this.#take(report));
    this.#worker.once('exit', (code, signal) => this.#close(`with ${signal ?? code}`));
    this.#worker.on('error', (error) => {
      // Writing to an ended process is also an error, which its exit reports better. A process that the system
      // could not start has no exit.
      if (this.#worker.process.pid === undefined) this.#close(`at once: ${error.message}`);
    });
  }

  /** Sends a task, and waits for its result. */
  async ask<Task extends keyof Tasks>(
    task: Task,
    ...given: Parameters<Tasks[Task]>
  ): Promise<Awaited<ReturnType<Tasks[Task]>>> {
    await this.#isStarted;
    if (this.#end !== undefined) throw this.#end;
    const id = ++this.#last;
    const answer = this.#answer(id);
    this.#worker.send({ id, task, given } satisfies Order);
    return (await answer) as Awaited<ReturnType<Tasks[Task]>>;
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

  #close(how: string): void {
    if (this.#end !== undefined) return;
    this.#end = new WorkerEndedError(`a worker process ended ${how}`);
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
    this.#ended(this, how);
  }

  #take(report: Report): void {
    const waiting = this.#waiting.get(report.id);
    this.#waiting.delete(report.id);
    if (report.problem === undefined) waiting?.resolve(report.value);
    else waiting?.reject(errorOf(report.problem));
  }
}
