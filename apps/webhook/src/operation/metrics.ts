import type { PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { getOrMake } from '@kubeadmit/base';
import type { FetchResult } from '@kubeadmit/images';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Written } from '../cluster/outbox.ts';
import type { LoadReport } from '../policies/policy-store.ts';
import type { ReviewStep } from '../review/decide-review.ts';
import type { LookupResult } from '../review/request-namespace.ts';
import { turns } from '../review/turns.ts';
import type { ScanReport } from '../scan/scan.ts';
import type { DecidedReview } from '../server/review-endpoint.ts';
import { Durations, type Series } from './durations.ts';
import { mutatingChecks, validatingChecks } from './policy-checks.ts';

/** Values that are read when metrics are collected. */
export interface Measured {
  requestsInFlight(): number;
  connections(): number;
  expectedWaitSeconds(): number;
}

const checkBuckets = [0.0000005, 0.001, 0.01, 0.1, 1];
const fetchBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const admissionBuckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const requestBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 10];

/**
 * The metrics of one process.
 *
 * They have kube-apiserver's names and labels where it has such metrics, so that dashboards and alerts carry over
 * (apiserver policy/validating/metrics and policy/mutating/metrics).
 */
export class Metrics {
  readonly registry: Registry = new Registry();
  readonly #validatingChecks = new Counter({
    name: 'apiserver_validating_admission_policy_check_total',
    help: 'Validation admission policy check total, labeled by policy and binding.',
    labelNames: ['policy', 'policy_binding', 'error_type', 'enforcement_action'],
    registers: [this.registry],
  });
  readonly #validatingSeconds = new Histogram({
    name: 'apiserver_validating_admission_policy_check_duration_seconds',
    help: 'Validation admission latency for individual validation expressions in seconds.',
    labelNames: ['policy', 'policy_binding', 'error_type', 'enforcement_action'],
    buckets: checkBuckets,
    registers: [this.registry],
  });
  readonly #mutatingChecks = new Counter({
    name: 'apiserver_mutating_admission_policy_check_total',
    help: 'Mutation admission policy check total, labeled by policy and binding.',
    labelNames: ['policy', 'policy_binding', 'error_type'],
    registers: [this.registry],
  });
  readonly #mutatingSeconds = new Histogram({
    name: 'apiserver_mutating_admission_policy_check_duration_seconds',
    help: 'Mutation admission latency for individual mutation expressions in seconds.',
    labelNames: ['policy', 'policy_binding', 'error_type'],
    buckets: checkBuckets,
    registers: [this.registry],
  });
  readonly #admissionSeconds = new Durations({
    name: 'apiserver_admission_controller_admission_duration_seconds',
    help: 'Time that policies of one kind took to decide a request in seconds.',
    labelNames: ['name', 'type', 'operation', 'rejected'],
    buckets: admissionBuckets,
    register: this.registry,
  });
  readonly #requestSeconds = new Durations({
    name: 'kubeadmit_request_duration_seconds',
    help: 'Time from the headers of a request to its response in seconds, by path and HTTP status.',
    labelNames: ['path', 'code'],
    buckets: requestBuckets,
    register: this.registry,
  });
  readonly #waitSeconds = new Durations({
    name: 'kubeadmit_request_wait_duration_seconds',
    help: 'Time in seconds that a request waited for other requests, the cluster and registries, by path.',
    labelNames: ['path'],
    buckets: requestBuckets,
    register: this.registry,
  });
  readonly #waits: Readonly<Record<ReviewStep, Series>> = {
    mutate: this.#waitSeconds.of({ path: 'mutate' }),
    validate: this.#waitSeconds.of({ path: 'validate' }),
  };
  readonly #policies = new Gauge({
    name: 'kubeadmit_policies',
    help: 'Policies in use.',
    labelNames: ['kind'],
    aggregator: 'min',
    registers: [this.registry],
  });
  readonly #problems = this.#gauge(
    'kubeadmit_policy_problems',
    'Errors in the newest policies; while there are any, the previous set stays active.',
    'max',
  );
  readonly #generation = this.#gauge(
    'kubeadmit_policy_generation',
    'Generation of the active set of policies.',
    'min',
  );
  readonly #failures = new Counter({
    name: 'kubeadmit_internal_errors_total',
    help: 'Requests that were not decided because of an internal error.',
    registers: [this.registry],
  });

  readonly #written = new Counter({
    name: 'kubeadmit_cluster_writes_total',
    help: 'Events and reports to write to the cluster, by kind and result.',
    labelNames: ['kind', 'result'],
    registers: [this.registry],
  });
  readonly #lookups = new Counter({
    name: 'kubeadmit_namespace_lookups_total',
    help: 'Namespaces of requests read from the API server, by result.',
    labelNames: ['result'],
    registers: [this.registry],
  });
  readonly #imageFetches = new Counter({
    name: 'kubeadmit_image_fetches_total',
    help: 'Manifests, blobs and referrer lists read from registries, by kind and result.',
    labelNames: ['kind', 'result'],
    registers: [this.registry],
  });
  readonly #imageSeconds = new Histogram({
    name: 'kubeadmit_image_fetch_duration_seconds',
    help: 'Time that a read from a registry took in seconds.',
    buckets: fetchBuckets,
    registers: [this.registry],
  });
  readonly #imageRecalls = new Counter({
    name: 'kubeadmit_image_cache_total',
    help: 'Reads of registry content by requests, by cache result (hit or miss).',
    labelNames: ['result'],
    registers: [this.registry],
  });
  readonly #scannedObjects = this.#gauge(
    'kubeadmit_scan_objects',
    'Objects that the last scan of this process evaluated.',
    'sum',
  );
  readonly #scanProblems = this.#gauge(
    'kubeadmit_scan_problems',
    'Resources that the last scan of this process could not list or report.',
    'sum',
  );
  readonly #scanSeconds = this.#gauge(
    'kubeadmit_scan_duration_seconds',
    'Duration of the last scan of this process in seconds.',
    'max',
  );
  readonly #scanTime = this.#gauge(
    'kubeadmit_scan_timestamp_seconds',
    'End of the last scan of this process in seconds since 1970; 0 before the first.',
    'max',
  );

  readonly #requests: Readonly<Record<ReviewStep, Map<number, Series>>> = {
    mutate: new Map(),
    validate: new Map(),
  };
  readonly #admissions: Readonly<
    Record<ReviewStep, Readonly<Record<'rejected' | 'allowed', Map<string, Series>>>>
  > = {
    mutate: { rejected: new Map(), allowed: new Map() },
    validate: { rejected: new Map(), allowed: new Map() },
  };

  constructor(measured: Measured) {
    collectDefaultMetrics({ register: this.registry });
    // A rate needs a first value of zero.
    for (const kind of ['event', 'report'] as const) {
      for (const result of ['written', 'failed', 'dropped'] as const) {
        this.#written.inc({ kind, result }, 0);
      }
    }
    for (const result of ['found', 'missing', 'failed'] as const) this.#lookups.inc({ result }, 0);
    for (const result of ['hit', 'miss'] as const) this.#imageRecalls.inc({ result }, 0);
    gaugeOf(this.registry, 'kubeadmit_requests_in_flight', 'Requests that are being decided.', () =>
      measured.requestsInFlight(),
    );
    gaugeOf(
      this.registry,
      'kubeadmit_expected_wait_seconds',
      'Expected time in seconds that a new request waits for those in progress.',
      () => measured.expectedWaitSeconds(),
    );
    gaugeOf(
      this.registry,
      'kubeadmit_queue_length',
      'Requests waiting to be evaluated.',
      () => turns.length,
    );
    gaugeOf(this.registry, 'kubeadmit_connections', 'Open connections.', () =>
      measured.connections(),
    );
  }

  /** Registers a gauge of this process; `aggregator` says how the values of several workers are combined. */
  #gauge(name: string, help: string, aggregator: 'max' | 'min' | 'sum'): Gauge {
    return new Gauge({ name, help, aggregator, registers: [this.registry] });
  }

  /** Counts a decided request. */
  decided(decided: DecidedReview): void {
    const { step, review, decision, seconds } = decided;
    this.#requestSeries(step, 200).observe(seconds);
    if (decision.isExempt) return;
    this.#waits[step].observe(decided.waited / 1000);
    const { operation = '' } = review.request;
    this.#admissionSeries(step, operation, decision.denial !== undefined).observe(
      decided.decidingSeconds,
    );
    this.#countChecks(decided);
  }

  #requestSeries(step: ReviewStep, code: number): Series {
    const ofStep = this.#requests[step];
    return getOrMake(ofStep, code, () =>
      this.#requestSeconds.of({ path: step, code: String(code) }),
    );
  }

  #admissionSeries(step: ReviewStep, operation: string, isRejected: boolean): Series {
    const known = this.#admissions[step][isRejected ? 'rejected' : 'allowed'];
    return getOrMake(known, operation, () =>
      this.#admissionSeconds.of({
        name: step === 'mutate' ? 'MutatingAdmissionPolicy' : 'ValidatingAdmissionPolicy',
        type: step === 'mutate' ? 'admit' : 'validate',
        operation,
        rejected: String(isRejected),
      }),
    );
  }

  #countChecks({ step, decision, generation }: DecidedReview): void {
    let times: ReturnType<typeof decision.times> | undefined;
    const { trace } = decision;
    for (let index = 0; index < trace.length; index++) {
      const policy = trace[index] as PolicyTrace;
      if (step === 'validate' && isAdmitted(policy)) continue;
      times ??= decision.times();
      const seconds = (times[index]?.seconds ?? 0) / expressionCount(policy);
      if (step === 'validate') {
        const actionsOf = (binding: string) => generation.chain.actions.get(binding) ?? [];
        for (const labels of validatingChecks(policy, actionsOf)) {
          this.#validatingChecks.inc(labels);
          this.#validatingSeconds.observe(labels, seconds);
        }
      } else {
        for (const labels of mutatingChecks(policy)) {
          this.#mutatingChecks.inc(labels);
          this.#mutatingSeconds.observe(labels, seconds);
        }
      }
    }
  }

  /** Counts a request that was not decided. */
  refused(step: ReviewStep, code: number, seconds: number): void {
    this.#requestSeries(step, code).observe(seconds);
  }

  /** Counts a mistake of the program. */
  failed(): void {
    this.#failures.inc();
  }

  /** Counts a namespace that was read from the API server. */
  lookedUp(result: LookupResult): void {
    this.#lookups.inc({ result });
  }

  /** Counts a read from a registry. */
  fetchedImage(kind: string, result: FetchResult, seconds: number): void {
    this.#imageFetches.inc({ kind, result });
    this.#imageSeconds.observe(seconds);
  }

  /** Counts a part of a registry that a request needed. */
  recalledImage(isHit: boolean): void {
    this.#imageRecalls.inc({ result: isHit ? 'hit' : 'miss' });
  }

  /** Measures the cache of images from now on. */
  measureImageCache(bytes: () => number): void {
    gaugeOf(
      this.registry,
      'kubeadmit_image_cache_bytes',
      'Size of the cached registry content in bytes.',
      bytes,
    );
  }

  /** Counts the result of an event or a report. */
  wrote(kind: 'event' | 'report', result: Written): void {
    this.#written.inc({ kind, result });
  }

  /** Records the results of a scan. */
  scanned({ objects, problems }: ScanReport, seconds: number): void {
    this.#scannedObjects.set(objects);
    this.#scanProblems.set(problems.length);
    this.#scanSeconds.set(seconds);
    this.#scanTime.set(Date.now() / 1000);
  }

  /** Records the policies of a load. */
  loaded({ generation, problems, validating, mutating, kyverno }: LoadReport): void {
    this.#policies.set({ kind: 'ValidatingAdmissionPolicy' }, validating);
    this.#policies.set({ kind: 'MutatingAdmissionPolicy' }, mutating);
    this.#policies.set({ kind: 'Kyverno' }, kyverno);
    this.#problems.set(problems.length);
    this.#generation.set(generation);
  }
}

// Policies that allow a request are not counted, and for most requests that is most policies. Such traces are
// frozen, and V8 allocates an object per step when it iterates over a frozen array. Indices take a tenth of the
// time.
function isAdmitted({ bindings }: PolicyTrace): boolean {
  for (let binding = 0; binding < bindings.length; binding++) {
    const { evaluations } = bindings[binding] as PolicyTrace['bindings'][number];
    for (let each = 0; each < evaluations.length; each++) {
      const decisions = evaluations[each]?.decisions ?? [];
      for (let decision = 0; decision < decisions.length; decision++) {
        if (decisions[decision]?.evaluation !== 'admitted') return false;
      }
    }
  }
  return true;
}

// kube-apiserver measures each expression; here those of a policy have equal shares.
function expressionCount({ bindings }: PolicyTrace): number {
  const counts = bindings.flatMap(({ evaluations }) =>
    evaluations.map(({ decisions, mutations }) => (decisions ?? mutations ?? []).length),
  );
  return Math.max(
    1,
    counts.reduce((sum, each) => sum + each, 0),
  );
}

/** Registers a gauge whose value is read when metrics are collected; `undefined` keeps the last value. */
export function gaugeOf(
  registry: Registry,
  name: string,
  help: string,
  value: () => number | undefined,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      const now = value();
      if (now !== undefined) this.set(now);
    },
  });
}
