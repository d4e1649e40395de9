import { hostname } from 'node:os';
import process from 'node:process';
import type { ApiClient } from '../cluster/api-client.ts';
import { Lease } from '../cluster/lease.ts';
import type { RemoteAuthorizer } from '../cluster/remote-authorizer.ts';
import type { Log } from '../logging/log.ts';
import type { PolicyStore } from '../policies/policy-store.ts';
import type { ReportGroup } from '../reports/report-format.ts';
import { ReportWriter } from '../reports/report-writer.ts';
import { policySignature } from './policy-signature.ts';
import { type ScanGivens, type ScanReport, scan } from './scan.ts';

const tickMilliseconds = 1_000;
// Policies often change together.
const restMilliseconds = 30_000;
const toldProblems = 10;

/** How a cluster is scanned. */
export interface ScannerOptions {
  readonly client: ApiClient;
  readonly group: ReportGroup;
  readonly intervalSeconds: number;
  /** The namespace of the Lease that decides which process scans. */
  readonly namespace: string;
  readonly excludedNamespaces: ReadonlySet<string>;
  readonly policies: PolicyStore;
  readonly authorizer: RemoteAuthorizer | undefined;
  readonly log: Log;
  /** Whether reports have the form of Kyverno's. */
  readonly asKyverno: boolean;
  /** Receives the results of Kyverno's policies for an object. */
  readonly found?: ScanGivens['found'];
  /** Called after each scan. */
  readonly scanned: (report: ScanReport, seconds: number) => void;
}

/**
 * Scans the objects of a cluster: at its start, after a change of policies, and periodically; one of all replicas does
 * so.
 */
export class Scanner {
  readonly #options: ScannerOptions;
  readonly #lease: Lease;
  #timer: NodeJS.Timeout | undefined;
  #scanning: Promise<void> | undefined;
  #seen: { readonly generation: number; readonly signature: string } | undefined;
  #last: { readonly signature: string; readonly began: number; readonly ended: number } | undefined;
  #known: ReadonlySet<string> = new Set();
  #isEnding = false;

  constructor(options: ScannerOptions) {
    this.#options = options;
    const { client, namespace, log } = options;
    const identity = `${hostname()}_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
    this.#lease = new Lease(client, { namespace, name: 'kubeadmit-scan', identity }, (error) =>
      log.warn({ problem: String(error) }, 'cannot acquire the scan lease'),
    );
  }

  /** Scans from now on. */
  start(): void {
    this.#lease.start();
    this.#timer = setInterval(() => {
      this.#scanning ??= this.#scanIfDue().finally(() => {
        this.#scanning = undefined;
      });
    }, tickMilliseconds);
  }

  /** Ends the current scan, and lets another process scan. */
  async stop(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#timer);
    await this.#scanning;
    await this.#lease.stop();
  }

  async #scanIfDue(): Promise<void> {
    const { policies, intervalSeconds, excludedNamespaces, client, group, authorizer, log } =
      this.#options;
    const { asKyverno, found } = this.#options;
    const generation = policies.current;
    if (generation === undefined || !this.#lease.isHeld) return;
    if (this.#seen?.generation !== generation.number) {
      this.#seen = { generation: generation.number, signature: policySignature(generation) };
    }
    const { signature } = this.#seen;
    const began = performance.now();
    if (this.#last !== undefined && !this.#isDue(this.#last, signature, began)) return;
    try {
      const report = await scan({
        ...{ client, generation, excludedNamespaces, authorizer, asKyverno },
        ...(found && { found }),
        writer: new ReportWriter(client, group, asKyverno ? 'kyverno' : 'kubeadmit'),
        clock: Date.now,
        isOver: () => this.#isEnding || !this.#lease.isHeld,
      });
      const seconds = (performance.now() - began) / 1000;
      const problems = report.problems.length;
      log.info({ objects: report.objects, problems, seconds, intervalSeconds }, 'scanned');
      // Problems of the last scan were already logged.
      const news = report.problems.filter((problem) => !this.#known.has(problem));
      this.#known = new Set(report.problems);
      for (const problem of news.slice(0, toldProblems)) {
        log.warn({ problem }, 'some resources could not be scanned');
      }
      this.#options.scanned(report, seconds);
      this.#last = { signature, began, ended: performance.now() };
    } catch (error) {
      log.warn({ problem: String(error) }, 'the cluster could not be scanned');
      const problems = [String(error)];
      this.#options.scanned({ objects: 0, problems }, (performance.now() - began) / 1000);
      // Retries soon, as if policies had changed.
      this.#last = { signature: '', began, ended: performance.now() };
    }
  }

  #isDue(
    last: { readonly signature: string; readonly began: number; readonly ended: number },
    signature: string,
    now: number,
  ): boolean {
    const interval = this.#options.intervalSeconds * 1000;
    if (now - last.began >= interval) return true;
    const rest = Math.min(restMilliseconds, interval);
    return last.signature !== signature && now - last.ended >= rest;
  }
}
