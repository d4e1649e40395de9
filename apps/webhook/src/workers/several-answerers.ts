import { AggregatorRegistry } from 'prom-client';
import type { Configuration } from '../configuration/configuration.ts';
import type { Log } from '../operation/log.ts';
import type { LoadReport } from '../policies/policy-store.ts';
import type { Snapshot } from '../policies/snapshot.ts';
import type { Answerer, Credentials, MetricValues } from './answerer.ts';
import { WorkerProcess } from './worker-process.ts';

const restartMilliseconds = 1_000;

/**
 * Several processes that answer at one listener. Each gets what the others got, and one that ends is replaced.
 */
export class SeveralAnswerers implements Answerer {
  readonly #configuration: Configuration;
  readonly #log: Log;
  readonly #workers: Set<WorkerProcess> = new Set();
  #right: Snapshot | undefined;
  #credentials: Credentials | undefined;
  #isEnding = false;

  constructor(configuration: Configuration, log: Log) {
    this.#configuration = configuration;
    this.#log = log;
  }

  /** Starts the processes. */
  async start(): Promise<void> {
    const { workers } = this.#configuration;
    await Promise.all(Array.from({ length: workers }, () => this.#add()));
  }

  async #add(): Promise<WorkerProcess> {
    const worker = new WorkerProcess((ended) => this.#replace(ended));
    this.#workers.add(worker);
    await worker.ask({ do: 'configure', configuration: this.#configuration });
    return worker;
  }

  #replace(ended: WorkerProcess): void {
    this.#workers.delete(ended);
    if (this.#isEnding) return;
    this.#log.error('a worker process ended and is replaced');
    setTimeout(() => void this.#restore(), restartMilliseconds);
  }

  async #restore(): Promise<void> {
    try {
      const worker = await this.#add();
      if (this.#right !== undefined) await worker.ask({ do: 'load', snapshot: this.#right });
      const credentials = this.#credentials;
      if (credentials !== undefined) await worker.ask({ do: 'listen', credentials });
    } catch (error) {
      // Its end is told, too, and brings the next attempt.
      this.#log.error({ err: error }, 'a worker process could not be replaced');
    }
  }

  /** Each process takes the snapshot; it acts for all or, where one cannot use it, is told of. */
  async load(snapshot: Snapshot): Promise<LoadReport> {
    const reports = await this.#all<LoadReport>({ do: 'load', snapshot });
    const report = reports.find(({ problems }) => problems.length > 0) ?? reports[0];
    if (report === undefined) throw new Error('no worker process is there');
    if (report.problems.length === 0) this.#right = snapshot;
    return report;
  }

  async listen(credentials: Credentials): Promise<number> {
    this.#credentials = credentials;
    const [port] = await this.#all<number>({ do: 'listen', credentials });
    return port ?? 0;
  }

  async useCredentials(credentials: Credentials): Promise<void> {
    this.#credentials = credentials;
    await this.#all({ do: 'useCredentials', credentials });
  }

  async metrics(): Promise<MetricValues> {
    const values = await this.#all<MetricValues>({ do: 'metrics' });
    return AggregatorRegistry.aggregate(values).getMetricsAsJSON();
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    await this.#all({ do: 'close' });
    for (const worker of this.#workers) worker.end();
  }

  #all<Answer>(task: Parameters<WorkerProcess['ask']>[0]): Promise<Answer[]> {
    return Promise.all([...this.#workers].map((worker) => worker.ask<Answer>(task)));
  }
}
