import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A request that was answered. */
export interface AnsweredRequest {
  readonly verb: string;
  readonly code: number;
  readonly seconds: number;
  /** The resource of the request; absent for one that the server does not have. */
  readonly objectRef?: Readonly<Record<string, string>> | undefined;
}

/** Prometheus metrics with kube-apiserver's names. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter;
  readonly #durations: Histogram;
  readonly #inflight: Gauge;

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

  /** All figures in Prometheus' text form. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}
