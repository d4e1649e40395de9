import { ApiClient } from '../cluster/api-client.ts';
import { NamespaceLookup } from '../cluster/namespace-lookup.ts';
import { PolicyStatus } from '../cluster/policy-status.ts';
import { RemoteAuthorizer } from '../cluster/remote-authorizer.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ImageSettings } from '../images/image-settings.ts';
import type { LiveImages } from '../images/live-images.ts';
import type { Log } from '../logging/log.ts';
import { DecisionLog } from '../operation/decision-log.ts';
import { Metrics } from '../operation/metrics.ts';
import { NamespaceLog } from '../operation/namespace-log.ts';
import { LiveNamespaces, type NamespaceChange } from '../policies/live-namespaces.ts';
import { type LoadReport, PolicyStore } from '../policies/policy-store.ts';
import type { Snapshot } from '../policies/snapshot.ts';
import type { SnapshotRecord } from '../policies/snapshot-record.ts';
import { computeRegistration, type Registration } from '../registration/webhooks.ts';
import { RequestNamespaces } from '../review/request-namespace.ts';
import { ReviewEndpoint } from '../server/review-endpoint.ts';
import { ReviewServer } from '../server/review-server.ts';
import { wantedStatuses } from '../status/wanted-status.ts';
import type { OtlpTracing } from '../tracing/otlp-tracing.ts';
import type { Answerer, Credentials, MetricValues } from './answerer.ts';
import { ClusterWriters } from './cluster-writers.ts';

// The time that a body may still take after the listener is closed.
const lastBodyMilliseconds = 5_000;

/** Answers reviews in this process. */
export class LocalAnswerer implements Answerer {
  readonly #configuration: Configuration;
  readonly #policies: PolicyStore;
  readonly #endpoint: ReviewEndpoint;
  readonly #counted: Metrics;
  readonly #log: Log;
  readonly #record: SnapshotRecord | undefined;
  readonly #namespaces: LiveNamespaces = new LiveNamespaces();
  #lookupProblem = '';
  #server: ReviewServer | undefined;
  #status: PolicyStatus | undefined;
  #tracing: OtlpTracing | undefined;
  #writers: ClusterWriters | undefined;
  #writing: Promise<void> = Promise.resolve();
  #images: Promise<LiveImages> | undefined;

  /** @param record where loaded snapshots are recorded, if this process owns the record */
  constructor(configuration: Configuration, log: Log, record?: SnapshotRecord) {
    this.#record = record;
    this.#configuration = configuration;
    this.#log = log;
    const { images } = configuration;
    this.#policies = new PolicyStore({
      kubernetesVersion: configuration.kubernetesVersion,
      onInvalid: configuration.onInvalidPolicy,
      hasBackground: configuration.background !== undefined,
      openImages: images && (() => (this.#images ??= this.#openImages(images))),
    });
    const decisions = new DecisionLog(log, configuration);
    const namespaces = new NamespaceLog(log);
    this.#counted = new Metrics({
      requestsInFlight: () => this.#endpoint.requestsInFlight,
      expectedWaitSeconds: () => this.#endpoint.expectedWaitSeconds,
      connections: () => this.#server?.connectionCount ?? 0,
    });
    this.#endpoint = new ReviewEndpoint(configuration, this.#policies, {
      decided: (decided) => {
        this.#counted.decided(decided);
        decisions.write(decided);
        namespaces.write(decided);
        this.#tracing?.decided(decided);
        this.#writers?.tell(decided);
      },
      refused: (arrival, refusal, seconds) => {
        const { step } = arrival;
        const { code, message } = refusal;
        this.#counted.refused(step, code, seconds);
        this.#tracing?.refused(arrival, refusal, seconds);
        log.warn({ step, code }, `refused: ${message}`);
      },
      failed: (step, error) => {
        this.#counted.failed();
        log.error({ step, err: error }, 'a request could not be decided');
      },
    });
  }

  async load(snapshot: Snapshot): Promise<LoadReport> {
    const { cluster } = this.#configuration;
    if (cluster !== undefined && this.#endpoint.authorizer === undefined) {
      const client = await ApiClient.open(cluster);
      const authorizer = new RemoteAuthorizer(client);
      this.#endpoint.authorizer = authorizer;
      this.#status = new PolicyStatus(client, this.#log);
      const configuration = this.#configuration;
      const policies = this.#policies;
      const metrics = this.#counted;
      const log = this.#log;
      this.#endpoint.namespaces = new RequestNamespaces({
        lookup: new NamespaceLookup(client),
        mode: configuration.namespaceMode,
        take: (changes) => this.#namespaces.take(changes, policies.current),
        looked: (result, problem = '') => {
          metrics.lookedUp(result);
          if (problem === this.#lookupProblem) return;
          this.#lookupProblem = problem;
          if (problem !== '') log.warn({ problem }, 'cannot read a namespace');
        },
      });
      const givens = { client, configuration, policies, authorizer, metrics, log };
      this.#writers = new ClusterWriters(givens);
    }
    const report = await this.#policies.load(snapshot);
    if (this.#policies.current !== undefined) this.#namespaces.refresh(this.#policies.current);
    this.#counted.loaded(report);
    if (!report.isRefused) this.#writeStatus();
    this.#record?.loaded(snapshot, report);
    return report;
  }

  // The libraries are loaded only if a policy reads images.
  async #openImages(settings: ImageSettings): Promise<LiveImages> {
    const { openImages } = await import('../images/open-images.ts');
    const images = await openImages(settings, this.#configuration.cluster, this.#counted);
    this.#counted.measureImageCache(() => images.cacheBytes);
    return images;
  }

  async registration(): Promise<Registration | undefined> {
    const { registration, excludedNamespaces, policyGroups } = this.#configuration;
    const { current } = this.#policies;
    if (registration === undefined || current === undefined) return undefined;
    const webhooks = await computeRegistration(current.chain, {
      included: registration.included,
      timeoutSeconds: registration.timeoutSeconds,
      excludedNamespaces,
      checksOwnPolicies: policyGroups.own,
      checksKyvernoPolicies: policyGroups.kyverno,
      split: 'effect',
    });
    const hasBackground = this.#configuration.background !== undefined;
    return { ...webhooks, statuses: wantedStatuses(current, hasBackground) };
  }

  async useNamespaces(changes: readonly NamespaceChange[]): Promise<void> {
    this.#namespaces.take(changes, this.#policies.current);
  }

  // Runs in the background, one write after another.
  #writeStatus(): void {
    const { current } = this.#policies;
    if (current === undefined || this.#status === undefined) return;
    const status = this.#status;
    this.#writing = this.#writing.then(() =>
      status.write(current.givenObjects, current.chain.cluster.schemas),
    );
  }

  async listen(credentials: Credentials): Promise<number> {
    const { tracing, denialMessages } = this.#configuration;
    if (tracing !== undefined) {
      // The libraries are loaded only if tracing is enabled.
      const { OtlpTracing } = await import('../tracing/otlp-tracing.ts');
      this.#tracing = await OtlpTracing.start({ ...tracing, denialMessages }, (problem) =>
        this.#log.warn({ problem }, 'cannot send traces to the collector'),
      );
    }
    this.#server = new ReviewServer(this.#endpoint, this.#configuration, credentials);
    return this.#server.listen(this.#configuration.listen);
  }

  async useCredentials({ pair, clientCa }: Credentials): Promise<void> {
    this.#server?.useCertificate(pair, clientCa);
  }

  async metrics(): Promise<MetricValues> {
    return this.#counted.registry.getMetricsAsJSON();
  }

  async backgroundProblem(): Promise<string> {
    return this.#writers?.background?.problem ?? '';
  }

  async backgroundFollows(): Promise<void> {
    await this.#writers?.backgroundFollows();
  }

  async drain(): Promise<void> {
    this.#server?.drain();
  }

  async close(): Promise<void> {
    await this.#server?.close(lastBodyMilliseconds);
    await Promise.all([this.#tracing?.stop(), this.#writers?.stop()]);
  }
}
