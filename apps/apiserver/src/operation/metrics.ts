import type { PluginCount } from '@kubeadmit/admission/plugins';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly verb: string;
  readonly code: number;
  readonly seconds: number;
  /** The resource of the request; absent for one that the server does not have. */
  readonly objectRef?: Readonly<Record<string, string>> | undefined;
}

interface PluginCounter {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** The labels of counts that are 0 at the start. */
  readonly zeros: readonly Readonly<Record<string, string>>[];
}

const changes = ['create', 'update'];

const privilegedPod = {
  decision: 'allow',
  policy_level: 'privileged',
  policy_version: 'latest',
  mode: 'enforce',
};

/** The counters of admission plugins, with kube-apiserver's texts. */
const pluginCounters: readonly PluginCounter[] = [
  {
    name: 'pod_security_evaluations_total',
    help: 'Number of policy evaluations that occurred, not counting ignored or exempt requests.',
    labelNames: ['decision', 'policy_level', 'policy_version', 'mode'],
    zeros: changes.map((change) => ({ ...privilegedPod, ...requestOf(change, 'pod') })),
  },
  {
    name: 'pod_security_exemptions_total',
    help: 'Number of exempt requests, not counting ignored or out of scope requests.',
    labelNames: [],
    zeros: ['pod', 'controller'].flatMap((resource) =>
      changes.map((change) => requestOf(change, resource)),
    ),
  },
  {
    name: 'pod_security_errors_total',
    help: 'Number of errors preventing normal evaluation. Non-fatal errors may result in the latest restricted profile being used for evaluation.',
    labelNames: ['fatal'],
    zeros: [],
  },
];

function requestOf(change: string, resource: string) {
  return { request_operation: change, resource, subresource: '' };
}

const requestLabels = ['request_operation', 'resource', 'subresource'];

/** Prometheus metrics with kube-apiserver's names. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter;
  readonly #durations: Histogram;
  readonly #inflight: Gauge;
  readonly #plugins: ReadonlyMap<string, Counter>;

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({
      name: 'apiserver_request_total',
      help: 'Requests by verb, resource and code.',
      labelNames: ['verb', 'group', 'version', 'resource', 'subresource', 'code'],
      registers,
    });
    this.#durations = new Histogram({
      name: 'apiserver_request_duration_seconds',
      help: 'Time to complete a request in seconds, without watches.',
      labelNames: ['verb', 'group', 'version', 'resource', 'subresource'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.#inflight = new Gauge({
      name: 'apiserver_current_inflight_requests',
      help: 'Requests in flight.',
      labelNames: ['request_kind'],
      registers,
    });
    this.#plugins = new Map(
      pluginCounters.map(({ name, help, labelNames }) => [
        name,
        new Counter({ name, help, labelNames: [...labelNames, ...requestLabels], registers }),
      ]),
    );
    for (const { name, zeros } of pluginCounters)
      for (const labels of zeros) this.#plugins.get(name)?.inc(labels, 0);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Counts a request that is being answered until the result is called. */
  begin(isChange: boolean): () => void {
    const kind = isChange ? 'mutating' : 'readOnly';
    this.#inflight.inc({ request_kind: kind });
    return () => this.#inflight.dec({ request_kind: kind });
  }

  answered({ verb, code, seconds, objectRef = {} }: AnsweredRequest): void {
    const labels = {
      verb: verb.toUpperCase(),
      group: objectRef['apiGroup'] ?? '',
      version: objectRef['apiVersion'] ?? '',
      resource: objectRef['resource'] ?? '',
      subresource: objectRef['subresource'] ?? '',
    };
    this.#requests.inc({ ...labels, code });
    if (verb !== 'watch') this.#durations.observe(labels, seconds);
  }

  /** Counts an event of an admission plugin. */
  countPluginEvent({ metric, labels }: PluginCount): void {
    this.#plugins.get(metric)?.inc({ ...labels });
  }

  /** All figures in Prometheus' text form. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
