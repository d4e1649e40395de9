import { Background, type BackgroundState } from '../background/background.ts';
import { BackgroundMetrics } from '../background/background-metrics.ts';
import type { ApiClient } from '../cluster/api-client.ts';
import type { OutboxListener } from '../cluster/outbox.ts';
import type { RemoteAuthorizer } from '../cluster/remote-authorizer.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { BackgroundEvents } from '../events/background-events.ts';
import { DenialEvents } from '../events/denial-events.ts';
import { KyvernoEvents } from '../events/kyverno-events.ts';
import type { Log } from '../logging/log.ts';
import type { Metrics } from '../operation/metrics.ts';
import type { PolicyStore } from '../policies/policy-store.ts';
import { AuditReports } from '../reports/audit-reports.ts';
import { Scanner } from '../scan/scanner.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';

/** The dependencies of the parts that write to the cluster. */
export interface ClusterWritersOptions {
  readonly client: ApiClient;
  readonly configuration: Configuration;
  readonly policies: PolicyStore;
  readonly authorizer: RemoteAuthorizer;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Writes to the cluster as configured: events, reports about decisions and scans, and the background work. */
export class ClusterWriters {
  readonly #events: DenialEvents | undefined;
  readonly #kyvernoEvents: KyvernoEvents | undefined;
  readonly #reports: AuditReports | undefined;
  readonly #scanner: Scanner | undefined;
  readonly #background: Background | undefined;
  readonly #backgroundEvents: BackgroundEvents | undefined;

  constructor({ configuration, client, metrics, log, ...options }: ClusterWritersOptions) {
    const { tellsEvents, asKyverno, reports, excludedNamespaces, leaseNamespace } = configuration;
    const listener = (kind: 'event' | 'report'): OutboxListener => ({
      done: (result) => metrics.wrote(kind, result),
      failed: (error) => log.warn({ kind, problem: String(error) }, 'the cluster rejects it'),
    });
    if (tellsEvents) this.#events = new DenialEvents(client, listener('event'), { asKyverno });
    if (tellsEvents && asKyverno) {
      this.#kyvernoEvents = new KyvernoEvents(client, listener('event'), options.policies);
    }
    if (tellsEvents && configuration.background !== undefined) {
      this.#backgroundEvents = new BackgroundEvents({
        client,
        listener: listener('event'),
        policies: () => options.policies.current?.givenObjects ?? [],
        asKyverno,
      });
    }
    this.#background = this.#openBackground({ configuration, client, metrics, log, ...options });
    if (reports === undefined) return;
    const { group } = reports;
    this.#reports = new AuditReports({ client, group, asKyverno, listener: listener('report') });
    if (reports.scanSeconds === 0) return;
    this.#scanner = new Scanner({
      ...{ client, log, group, asKyverno, ...options },
      found: (object, responses) => this.#kyvernoEvents?.scanned(object, responses),
      intervalSeconds: reports.scanSeconds,
      namespace: leaseNamespace,
      excludedNamespaces: new Set(excludedNamespaces),
      scanned: (report, seconds) => metrics.scanned(report, seconds),
    });
    this.#scanner.start();
  }

  #openBackground({
    configuration: { background, leaseNamespace: namespace, excludedNamespaces },
    client,
    policies,
    metrics,
    log,
  }: ClusterWritersOptions): Background | undefined {
    if (background === undefined) return undefined;
    const counted = new BackgroundMetrics(metrics.registry, () => this.background);
    const opened = new Background({
      ...{ client, policies, namespace, log },
      excludedNamespaces: new Set(excludedNamespaces),
      isDryRun: background.isDryRun,
      done: (action, reason) => counted.done(action, reason),
      found: (problem) => {
        const { policy, message } = problem;
        log.warn({ policy, problem: message }, 'background work failed');
        this.#backgroundEvents?.tell(problem);
      },
    });
    opened.start();
    return opened;
  }

  /** The state of the background work; `undefined` if this program does none. */
  get background(): BackgroundState | undefined {
    return this.#background?.state;
  }

  /** Waits, within a limit, until background work of this process sees every change that policies match. */
  async backgroundFollows(): Promise<void> {
    await this.#background?.followsPolicies();
  }

  /** Reports a decision. */
  tell(decided: DecidedReview): void {
    this.#events?.tell(decided);
    this.#kyvernoEvents?.decided(decided);
    this.#reports?.tell(decided);
  }

  /** Writes the remaining events and reports, within a short time limit. */
  async stop(): Promise<void> {
    await Promise.all([
      this.#events?.stop(),
      this.#kyvernoEvents?.stop(),
      this.#reports?.stop(),
      this.#scanner?.stop(),
      this.#background?.stop(),
      this.#backgroundEvents?.stop(),
    ]);
  }
}
