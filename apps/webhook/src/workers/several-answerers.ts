import { AggregatorRegistry } from 'prom-client';
import type { Configuration } from '../configuration/configuration.ts';
import type { Log } from '../logging/log.ts';
import { LastChanges } from '../policies/last-changes.ts';
import type { NamespaceChange } from '../policies/live-namespaces.ts';
import type { LoadReport } from '../policies/policy-store.ts';
import type { Snapshot } from '../policies/snapshot.ts';
import type { SnapshotRecord } from '../policies/snapshot-record.ts';
import type { Registration } from '../registration/webhooks.ts';
import type { Answerer, Credentials, MetricValues } from './answerer.ts';
import type { Tasks } from './messages.ts';
import { WorkerEndedError, WorkerProcess } from './worker-process.ts';

const restartMilliseconds = 1_000;

/** Several processes that answer on one listener. All get the same state, and a process that ends is replaced. */
export class SeveralAnswerers implements Answerer {
  readonly #configuration: Configuration;
  readonly #log: Log;
  readonly #workers: Set<WorkerProcess> = new Set();
  readonly #record: SnapshotRecord;
  /** The last change of each namespace, for later processes. */
  readonly #namespaces: LastChanges<NamespaceChange> = new LastChanges();
  #credentials: Credentials | undefined;
  #changing: Promise<unknown> = Promise.resolve();
  #isEnding = false;

  constructor(configuration: Configuration, log: Log, record: SnapshotRecord) {
    this.#configuration = configuration;
    this.#log = log;
    this.#record = record;
  }

  /** Starts the processes. */
  async start(): Promise<void> {
    const { workers } = this.#configuration;
    await Promise.all(Array.from({ length: workers }, () => this.#add()));
  }

  async #add(): Promise<WorkerProcess> {
    const worker = new WorkerProcess((ended, problem) => this.#replace(ended, problem));
    this.#workers.add(worker);
    await worker.ask('configure', this.#configuration);
    return worker;
  }

  #replace(ended: WorkerProcess, problem: string): void {
    this.#workers.delete(ended);
    if (this.#isEnding) return;
    this.#log.error({ problem }, 'a worker process ended');
    setTimeout(() => void this.#inTurn(() => this.#restore()), restartMilliseconds);
  }

  async #restore(): Promise<void> {
    if (this.#isEnding || this.#workers.size >= this.#configuration.workers) return;
    try {
      const worker = await this.#add();
      for (const snapshot of this.#record.snapshots) await worker.ask('load', snapshot);
      await worker.ask(
        'useNamespaces',
        [...this.#namespaces.entries()].map(([, change]) => change),
      );
      const credentials = this.#credentials;
      if (credentials !== undefined) await worker.ask('listen', credentials);
      this.#log.info('replacing a worker process');
    } catch (error) {
      // The end of that process is reported too, and triggers the next attempt.
      this.#log.error({ err: error }, 'a worker process could not be replaced');
    }
  }

  /** Loads the snapshot in every process, and returns the first report with problems, or the first report. */
  load(snapshot: Snapshot): Promise<LoadReport> {
    return this.#inTurn(async () => {
      if (this.#workers.size === 0) await this.#restore();
      const reports = await this.#all('load', snapshot);
      const report = reports.find(({ problems }) => problems.length > 0) ?? reports[0];
      // A snapshot that no process received is loaded by their replacements.
      if (report === undefined) {
        this.#record.missed(snapshot);
        throw new WorkerEndedError('no worker process is running');
      }
      this.#record.loaded(snapshot, report);
      return report;
    });
  }

  // Every process would compute the same.
  registration(): Promise<Registration | undefined> {
    return this.#inTurn(async () => {
      const [worker] = this.#workers;
      return worker?.ask('registration');
    });
  }

  async useNamespaces(changes: readonly NamespaceChange[]): Promise<void> {
    for (const change of changes) {
      this.#namespaces.set(change.name, change, change.text === undefined);
    }
    await this.#all('useNamespaces', changes);
  }

  listen(credentials: Credentials): Promise<number> {
    return this.#inTurn(async () => {
      this.#credentials = credentials;
      const [port] = await this.#all('listen', credentials);
      if (port === undefined) throw new WorkerEndedError('no worker process is running');
      return port;
    });
  }

  useCredentials(credentials: Credentials): Promise<void> {
    return this.#inTurn(async () => {
      this.#credentials = credentials;
      await this.#all('useCredentials', credentials);
    });
  }

  async metrics(): Promise<MetricValues> {
    const values = await this.#all('metrics');
    return AggregatorRegistry.aggregate(values).getMetricsAsJSON();
  }

  async backgroundProblem(): Promise<string> {
    const problems = await this.#all('backgroundProblem');
    return problems.find((problem) => problem !== '') ?? '';
  }

  async backgroundFollows(): Promise<void> {
    await this.#all('backgroundFollows');
  }

  async drain(): Promise<void> {
    await this.#all('drain');
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#all('close');
    for (const worker of this.#workers) worker.end();
  }

  // One change at a time: a new process could otherwise miss one, or get an older one after it.
  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#changing.then(change);
    this.#changing = result.catch(() => undefined);
    return result;
  }

  // A process that ends in between has no answer, and its successor gets the same state.
  async #all<Task extends keyof Answerer>(
    task: Task,
    ...given: Parameters<Tasks[Task]>
  ): Promise<Awaited<ReturnType<Tasks[Task]>>[]> {
    const answers = [...this.#workers].map((worker) =>
      worker.ask(task, ...given).then(
        (answer) => [answer],
        (error: unknown) => {
          if (error instanceof WorkerEndedError) return [];
          throw error;
        },
      ),
    );
    return (await Promise.all(answers)).flat();
  }
}
