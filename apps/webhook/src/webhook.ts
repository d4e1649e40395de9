import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { readErrorText } from '@kubeadmit/files';
import { AggregatorRegistry } from 'prom-client';
import { CredentialSource } from './certificates/credential-source.ts';
import { expiryOf } from './certificates/pair.ts';
import { ApiClient } from './cluster/api-client.ts';
import type { ClusterAccess } from './cluster/cluster-access.ts';
import { ClusterFollower } from './cluster/cluster-follower.ts';
import { type Check, isFailed } from './cluster/readiness.ts';
import type { Configuration } from './configuration/configuration.ts';
import { UsageError } from './configuration/usage-error.ts';
import { PolicyEvents } from './events/policy-events.ts';
import type { Log } from './logging/log.ts';
import { WebhookMetrics } from './operation/webhook-metrics.ts';
import { admittedSnapshot } from './policies/admitted-snapshot.ts';
import { Advisor } from './policies/advisor.ts';
import { KeptSnapshots } from './policies/kept-snapshots.ts';
import type { NamespaceChange } from './policies/live-namespaces.ts';
import { nearestVersion } from './policies/nearest-version.ts';
import type { LoadReport } from './policies/policy-store.ts';
import { type FolderSnapshot, readSnapshot } from './policies/read-snapshot.ts';
import type { Problem, Snapshot } from './policies/snapshot.ts';
import type { SnapshotRecord } from './policies/snapshot-record.ts';
import { watchFolders } from './policies/watch-folders.ts';
import type { Reach } from './registration/configuration-object.ts';
import { Registrar } from './registration/registrar.ts';
import { unregisterAtZero } from './registration/scale.ts';
import { exemptionText, type Registration } from './registration/webhooks.ts';
import { OperationServer } from './server/operation-server.ts';
import { ScanPermissions } from './status/scan-permissions.ts';
import { StatusWriter } from './status/status-writer.ts';
import type { Answerer } from './workers/answerer.ts';

const dayMilliseconds = 86_400_000;
const endpointMilliseconds = 5_000;
const backgroundMilliseconds = 2_000;

/** The ports that a webhook listens at. */
export interface Ports {
  readonly reviews: number;
  readonly operation: number;
}

/** The parts that a webhook works with. */
export interface WebhookParts {
  readonly answerer: Answerer;
  readonly log: Log;
  /** The output of the log, with the reason why it cannot be written. */
  readonly logOutput: { readonly problem: string };
  /** The snapshots that the answerer has loaded. */
  readonly record: SnapshotRecord;
}

/**
 * The webhook: watches policies and certificates, passes them to the answering processes, and reports its health.
 */
export class Webhook {
  readonly #configuration: Configuration;
  readonly #answerer: Answerer;
  readonly #log: Log;
  readonly #logOutput: WebhookParts['logOutput'];
  readonly #credentials: CredentialSource;
  readonly #operation: OperationServer;
  readonly #metricsOfAll: WebhookMetrics;
  #stopWatching: (() => void) | undefined;
  #files: FolderSnapshot;
  #remote: ClusterFollower | undefined;
  #report: LoadReport | undefined;
  readonly #advisor: Advisor;
  #policyEvents: PolicyEvents | undefined;
  #using: Promise<void> = Promise.resolve();
  readonly #record: SnapshotRecord;
  #registration: Registration | undefined;
  /** The registration that the configurations have. */
  #registered: Registration | undefined;
  /** When the set in use was loaded. */
  #lastGood = '';
  readonly #kept: KeptSnapshots | undefined;
  #keptProblem = '';
  #registrar: Registrar | undefined;
  #statuses: StatusWriter | undefined;
  #readySince: number | undefined;
  #backgroundProblem = '';
  #askingBackground: NodeJS.Timeout | undefined;
  #isLoadWaiting = false;
  #isListening = false;
  #isEnding = false;

  constructor(configuration: Configuration, { answerer, log, logOutput, record }: WebhookParts) {
    this.#configuration = configuration;
    this.#answerer = answerer;
    this.#log = log;
    this.#logOutput = logOutput;
    this.#record = record;
    this.#files = readSnapshot(configuration.policies);
    this.#advisor = new Advisor(log, (advice, before) => this.#warnOf(advice, before));
    const { state } = configuration;
    this.#kept = state === undefined ? undefined : openState(state);
    this.#credentials = new CredentialSource(configuration, log);
    this.#operation = new OperationServer({
      readiness: () => this.#readiness(),
      metrics: () => this.#metrics(),
    });
    this.#metricsOfAll = new WebhookMetrics({
      warnings: () => this.#notes().length,
      isSetOutdated: () => this.#isSetOld,
      certificateDays: () => {
        const { current } = this.#credentials;
        return current && (expiryOf(current.pair.certificate) - Date.now()) / dayMilliseconds;
      },
      watches: () => this.#remote?.watches ?? [],
    });
  }

  /**
   * Loads certificates and policies, and starts listening. Invalid policies keep the webhook from being ready, but
   * not from starting, since they may be repaired.
   *
   * @throws CertificateError if there is no certificate to listen with
   */
  async start(): Promise<Ports> {
    const operation = await this.#operation.listen(this.#configuration.metricsListen);
    const credentials = await this.#credentials.load();
    const { cluster, policies, policyGroups } = this.#configuration;
    if (cluster !== undefined) {
      const changed = (): Promise<void> => this.#use();
      const namespaces = (changes: readonly NamespaceChange[]): void =>
        void this.#answerer.useNamespaces(changes);
      const listener = { changed, namespaces, log: this.#log };
      this.#remote = await ClusterFollower.open(cluster, policyGroups, listener);
      this.#policyEvents = await this.#openEvents(cluster);
    }
    await this.#use();
    const reviews = await this.#answerer.listen(credentials);
    this.#isListening = true;
    await this.#register();
    this.#stopWatching = watchFolders(policies, this.#files, (changed) => {
      this.#files = changed;
      void this.#use();
    });
    this.#credentials.watch((changed) => this.#answerer.useCredentials(changed));
    this.#askBackground();
    this.#log.info({ reviews, operation }, 'listening');
    return { reviews, operation };
  }

  /**
   * Fails the readiness check, closes connections with each answer, waits for the shutdown delay, and closes the
   * listener once every accepted request is answered.
   */
  async stop(): Promise<void> {
    this.#isEnding = true;
    const { shutdownDelaySeconds } = this.#configuration;
    this.#log.info({ shutdownDelaySeconds }, 'shutting down');
    await this.#unregisterAtZero();
    await this.#answerer.drain();
    await new Promise((resolve) => setTimeout(resolve, shutdownDelaySeconds * 1000));
    this.#stopWatching?.();
    clearInterval(this.#askingBackground);
    await Promise.all([
      this.#registrar?.stop(),
      this.#statuses?.stop(),
      this.#policyEvents?.stop(),
    ]);
    this.#remote?.stop();
    this.#credentials.stop();
    await this.#answerer.close();
    this.#operation.close();
    this.#log.info('shut down');
  }

  async #openEvents(cluster: ClusterAccess): Promise<PolicyEvents | undefined> {
    const { tellsEvents, leaseNamespace: namespace } = this.#configuration;
    if (!tellsEvents) return undefined;
    const pod = { apiVersion: 'v1', kind: 'Pod', namespace, name: hostname() };
    return new PolicyEvents({
      client: await ApiClient.open(cluster),
      listener: {
        done: () => undefined,
        failed: (error) => this.#log.warn({ problem: String(error) }, 'an event was not written'),
      },
      pod: cluster.kind === 'inCluster' ? pod : undefined,
    });
  }

  // The background work may be done by another process.
  #askBackground(): void {
    if (this.#configuration.background === undefined) return;
    this.#askingBackground = setInterval(async () => {
      this.#backgroundProblem = await this.#answerer.backgroundProblem().catch(String);
    }, backgroundMilliseconds);
  }

  // While this replica still answers, and before its endpoint is removed.
  async #unregisterAtZero(): Promise<void> {
    const { cluster, registration, leaseNamespace: namespace } = this.#configuration;
    const { deployment, name } = registration ?? {};
    if (cluster === undefined || deployment === undefined || name === undefined) return;
    try {
      const client = await ApiClient.open(cluster);
      if (await unregisterAtZero(client, { namespace, deployment, name })) {
        this.#log.info({ deployment }, 'scaled to zero: webhook configurations deleted');
      }
    } catch (error) {
      this.#log.warn({ problem: String(error) }, 'the scale of the Deployment is unknown');
    }
  }

  async #register(): Promise<void> {
    const { cluster, registration, leaseNamespace } = this.#configuration;
    if (cluster === undefined || registration === undefined) return;
    const client = await ApiClient.open(cluster);
    const scans = (this.#configuration.reports?.scanSeconds ?? 0) > 0;
    const statuses = new StatusWriter({
      client,
      permissions: scans ? new ScanPermissions(client) : undefined,
      log: this.#log,
    });
    this.#statuses = statuses;
    this.#registrar = new Registrar({
      client,
      name: registration.name,
      reach: registration.reach,
      annotations: registration.annotations,
      lease: { namespace: leaseNamespace, identity: `${hostname()}_${randomUUID()}` },
      isReady: () => this.#isReachable(registration.reach.kind),
      authorities: () => this.#credentials.authorities,
      registered: (registered) => void this.#writeStatuses(registered, statuses),
      log: this.#log,
    });
    if (this.#registration !== undefined) this.#registrar.use(this.#registration);
    this.#registrar.start();
  }

  // A policy is ready when its background work sees the changes that it matches.
  async #writeStatuses(registered: Registration, statuses: StatusWriter): Promise<void> {
    this.#registered = registered;
    await this.#answerer.backgroundFollows().catch((error: unknown) => {
      this.#log.warn({ problem: String(error) }, 'the state of the background work is unknown');
    });
    if (this.#registered === registered) statuses.use(registered.statuses);
  }

  // Endpoints of a Service follow the readiness of a pod with its next probe.
  #isReachable(kind: Reach['kind']): boolean {
    if (this.#readiness().some(isFailed)) this.#readySince = undefined;
    else this.#readySince ??= performance.now();
    if (this.#readySince === undefined) return false;
    return kind === 'url' || performance.now() - this.#readySince >= endpointMilliseconds;
  }

  // One load at a time. A waiting load uses the newest files and objects, so one is enough.
  #use(): Promise<void> {
    if (this.#isLoadWaiting) return this.#using;
    this.#isLoadWaiting = true;
    this.#using = this.#using
      .then(() => {
        this.#isLoadWaiting = false;
        return this.#load();
      })
      .catch((error: unknown) => {
        this.#log.error({ err: error }, 'policies could not be loaded');
      });
    return this.#using;
  }

  async #load(): Promise<void> {
    const files = this.#files;
    const remote = this.#remote;
    // Half of a cluster could be policies without their bindings.
    if (remote !== undefined && remote.missing !== '') return;
    const { clusterObjects, ...known } = remote?.current() ?? {};
    const snapshot: Snapshot = {
      sources: files.sources,
      problems: files.problems,
      ...(clusterObjects === undefined ? {} : { clusterObjects, ...known }),
    };
    const report = await this.#loadOrRestore(snapshot);
    this.#tellOf(report);
    this.#policyEvents?.tell(report.problems, snapshot);
    this.#report = report;
    this.#keep(report);
    await this.#useRegistration();
    if (!report.isRefused) this.#advise(files, known.clusterVersion);
  }

  // After a restart, the previous version of an invalid policy exists only on the disk.
  async #loadOrRestore(snapshot: Snapshot): Promise<LoadReport> {
    const report = await this.#answerer.load(snapshot);
    const isWhole = !report.isRefused && report.asBefore.length === 0;
    const { onInvalidPolicy } = this.#configuration;
    if (isWhole || this.#report !== undefined || onInvalidPolicy !== 'keep-last') return report;
    const kept = this.#kept?.read();
    if (typeof kept === 'string') {
      this.#log.error({ problem: kept }, 'cannot read the last good policies');
      return report;
    }
    if (kept === undefined) return report;
    const { cluster, policyGroups } = this.#configuration;
    for (const each of kept.snapshots) {
      await this.#answerer.load(
        admittedSnapshot(each, cluster === undefined ? undefined : policyGroups),
      );
    }
    this.#lastGood = kept.time;
    this.#log.warn({ kept: kept.time }, 'last good policies restored');
    return this.#answerer.load(snapshot);
  }

  #keep({ isRefused }: LoadReport): void {
    if (isRefused) return;
    this.#lastGood = new Date().toISOString();
    if (this.#kept === undefined) return;
    this.#keptProblem = this.#kept.write(this.#record.snapshots, this.#lastGood);
    if (this.#keptProblem !== '') {
      this.#log.error({ problem: this.#keptProblem }, 'cannot save the last good policies');
    }
  }

  async #useRegistration(): Promise<void> {
    const registration = await this.#answerer.registration();
    if (registration === undefined) return;
    const known = new Set(this.#registration?.affected.map(exemptionText));
    this.#registration = registration;
    this.#registrar?.use(registration);
    for (const problem of registration.affected.map(exemptionText)) {
      if (!known.has(problem)) this.#log.warn({ problem }, 'a policy matches exempt resources');
    }
  }

  #advise(files: FolderSnapshot, clusterVersion: string | undefined): void {
    const { kubernetesVersion = nearestVersion(clusterVersion), cluster } = this.#configuration;
    this.#advisor.advise(files, { kubernetesVersion, hasCluster: cluster !== undefined });
  }

  #warnOf(
    notes: readonly Problem[],
    before: readonly Problem[],
    generation: number = this.#report?.generation ?? 0,
  ): void {
    for (const { place, message } of newAmong(notes, before)) {
      this.#log.warn({ place, problem: message, generation }, 'policies loaded with warnings');
    }
  }

  #tellOf(report: LoadReport): void {
    const { generation, isRefused, problems, notes, validating, mutating, kyverno } = report;
    const counts = { validating, mutating, kyverno };
    if (!isRefused) this.#log.info({ generation, ...counts }, 'policies loaded');
    for (const { place, message } of newAmong(problems, this.#report?.problems)) {
      const kept = generation === 0 ? 'no policies loaded' : `generation ${generation} is active`;
      const consequence = isRefused ? `invalid policies: ${kept}` : 'invalid object ignored';
      this.#log.error({ place, problem: message, generation }, consequence);
    }
    this.#warnOf(notes, this.#report?.notes ?? [], generation);
  }

  /** Whether the set in use is older than the newest one. */
  get #isSetOld(): boolean {
    const report = this.#report;
    const { onInvalidPolicy } = this.#configuration;
    if (report === undefined || report.generation === 0 || onInvalidPolicy !== 'keep-last') {
      return false;
    }
    return report.isRefused || report.asBefore.length > 0;
  }

  /** Returns warnings about the policies in use. */
  #notes(): readonly Problem[] {
    return [...(this.#report?.notes ?? []), ...this.#advisor.advice];
  }

  #readiness(): readonly Check[] {
    const report = this.#report;
    return [
      { name: 'listener', problem: this.#isListening ? '' : 'not listening yet' },
      ...(this.#remote === undefined ? [] : this.#remote.checks(this.#configuration.staleness)),
      {
        name: 'policies',
        problem: report === undefined ? 'not loaded yet' : textOf(report.problems),
        isTolerated: (report?.generation ?? 0) > 0,
      },
      {
        name: 'last-good-set',
        problem: this.#isSetOld ? `policies of ${this.#lastGood} are active` : '',
        isTolerated: true,
      },
      ...(this.#kept === undefined
        ? []
        : [{ name: 'state', problem: this.#keptProblem, isTolerated: true }]),
      { name: 'policy-warnings', problem: textOf(this.#notes()), isTolerated: true },
      { name: 'certificate', problem: this.#credentials.problem, isTolerated: true },
      ...this.#registrationChecks(),
      ...(this.#configuration.background === undefined
        ? []
        : [{ name: 'background', problem: this.#backgroundProblem, isTolerated: true }]),
      { name: 'log', problem: this.#logOutput.problem, isTolerated: true },
      { name: 'shutdown', problem: this.#isEnding ? 'shutting down' : '' },
    ];
  }

  #registrationChecks(): readonly Check[] {
    if (this.#registrar === undefined) return [];
    const affected = this.#registration?.affected ?? [];
    const texts = affected.map(exemptionText);
    return [
      { name: 'registration', problem: this.#registrar.problem, isTolerated: true },
      { name: 'exemptions', problem: texts.join('; '), isTolerated: true },
    ];
  }

  async #metrics(): Promise<string> {
    const answering = AggregatorRegistry.aggregate([await this.#answerer.metrics()]);
    return `${await answering.metrics()}\n${await this.#metricsOfAll.registry.metrics()}`;
  }
}

function openState(folder: string): KeptSnapshots {
  try {
    return new KeptSnapshots(folder);
  } catch (error) {
    throw new UsageError(`--state ${folder}: ${readErrorText(error)}`);
  }
}

function newAmong(
  problems: readonly Problem[],
  before: readonly Problem[] = [],
): readonly Problem[] {
  const known = new Set(before.map(({ place, message }) => place + message));
  return problems.filter(({ place, message }) => !known.has(place + message));
}

function textOf(problems: readonly Problem[] = []): string {
  return problems.map(({ place, message }) => `${place}: ${message}`).join('; ');
}
