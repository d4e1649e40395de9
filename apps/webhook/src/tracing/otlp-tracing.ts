import { hostname } from 'node:os';
import process from 'node:process';
import {
  type Attributes,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from '../configuration/configuration.ts';
import { webhookDenial } from '../review/denial.ts';
import type { TimedStep } from '../review/pace.ts';
import type { Refusal } from '../review/refusal.ts';
import type { Arrival, DecidedReview } from '../server/review-endpoint.ts';

const flushMilliseconds = 2_000;
const serverError = 500;
const propagator: W3CTraceContextPropagator = new W3CTraceContextPropagator();

/**
 * Tells a collector of requests by OTLP over HTTP: a span for each, in the trace that kube-apiserver began (header
 * `traceparent`), and in it one for the arrival of the body, each policy and each wait for the cluster. Spans name
 * objects and policies and contain nothing of objects, except for the messages of denials if `denialMessages` is set.
 *
 * Spans are made when a request is decided, from the times that were taken, so that nothing is carried along.
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_PROTOCOL` (`http/protobuf` or `http/json`), `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_BSP_…` are those of OpenTelemetry's specification.
 */
export class OtlpTracing {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  readonly #denialMessages: boolean;

  private constructor(provider: TracerProvider, denialMessages: boolean) {
    this.#provider = provider;
    this.#denialMessages = denialMessages;
    this.#tracer = provider.getTracer('@kubeadmit/webhook');
  }

  /** Starts tracing; calls `failed` if the collector is unreachable. */
  static async start(
    { url, share, denialMessages }: TracingSettings & { readonly denialMessages: boolean },
    failed: (problem: string) => void,
  ): Promise<OtlpTracing> {
    const exporter = telling(await exporterTo(url), failed);
    const own = resourceFromAttributes({
      'service.name': 'kubeadmit-webhook',
      'service.instance.id': `${hostname()}-${process.pid}`,
    });
    const provider = new TracerProvider({
      // Attributes from the environment take precedence.
      resource: defaultResource()
        .merge(own)
        .merge(detectResources({ detectors: [envDetector] })),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    return new OtlpTracing(provider, denialMessages);
  }

  decided(decided: DecidedReview): void {
    const { step, start, began, seconds, review, decision, generation } = decided;
    const { request } = review;
    const { denial } = decision;
    const { kind, resource } = request;
    const wall = wallClock();
    const span = this.#begin(
      decided,
      { code: 200, wall },
      {
        'kubeadmit.request.uid': request.uid,
        'kubeadmit.request.operation': String(request.operation),
        'kubeadmit.request.resource': [resource?.group, resource?.version, resource?.resource]
          .filter(Boolean)
          .join('/'),
        'k8s.object.kind': kind?.kind ?? '',
        ...(request.subResource ? { 'kubeadmit.request.subresource': request.subResource } : {}),
        ...(request.namespace ? { 'k8s.namespace.name': request.namespace } : {}),
        ...(request.name ? { 'k8s.object.name': request.name } : {}),
        ...(request.dryRun === true ? { 'kubeadmit.request.dry_run': true } : {}),
        'kubeadmit.allowed': denial === undefined,
        ...(denial?.code === undefined ? {} : { 'kubeadmit.denial.code': denial.code }),
        ...(denial?.reason === undefined ? {} : { 'kubeadmit.denial.reason': denial.reason }),
        'kubeadmit.exempt': decision.isExempt,
        'kubeadmit.warnings': decision.warnings.length,
        'kubeadmit.changes': decision.operations.length,
        'kubeadmit.generation': generation.number,
      },
    );
    // Requests that are not sampled need no spans for their parts.
    if (span.isRecording()) {
      const context = trace.setSpan(ROOT_CONTEXT, span);
      if (denial !== undefined) {
        const { message = '' } = webhookDenial(denial);
        span.addEvent('denied', this.#denialMessages ? { message } : {}, wall(began));
      }
      const part = (name: string, time: TimedStep, attributes: Attributes = {}): void => {
        const tracer = this.#tracer;
        const options = { startTime: wall(time.start), attributes };
        tracer.startSpan(name, options, context).end(wall(time.start + time.seconds * 1000));
      };
      const times = decision.times();
      part('body', { start, seconds: (began - start) / 1000 });
      for (const [index, { kind: policyKind, policy, outcome, pass }] of decision.trace.entries()) {
        const time = times[index];
        if (time === undefined) continue;
        const attributes = { 'kubeadmit.policy.outcome': outcome, 'kubeadmit.policy.pass': pass };
        part(`${policyKind} ${policy}`, time, attributes);
      }
      for (const wait of decision.waits) part('SubjectAccessReview', wait);
      for (const wait of decision.registryWaits) part('image registry', wait);
      if (decision.kyverno !== undefined) part(`Kyverno ${step}`, decision.kyverno);
    }
    span.end(wall(start + seconds * 1000));
  }

  refused(arrival: Arrival, { code, message }: Refusal, seconds: number): void {
    const wall = wallClock();
    const span = this.#begin(arrival, { code, wall }, { 'error.type': String(code) });
    if (code >= serverError) span.setStatus({ code: SpanStatusCode.ERROR, message });
    span.end(wall(arrival.start + seconds * 1000));
  }

  async stop(): Promise<void> {
    const late = new Promise((resolve) => setTimeout(resolve, flushMilliseconds).unref());
    await Promise.race([this.#provider.shutdown().catch(() => undefined), late]);
  }

  #begin(
    { step, headers, start }: Arrival,
    { code, wall }: { readonly code: number; readonly wall: WallClock },
    attributes: Attributes,
  ): Span {
    const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const http = {
      'http.request.method': 'POST',
      'http.route': `/${step}`,
      'url.path': `/${step}`,
      'url.scheme': 'https',
      'http.response.status_code': code,
    };
    const options = {
      kind: SpanKind.SERVER,
      startTime: wall(start),
      attributes: { ...http, ...attributes },
    };
    return this.#tracer.startSpan(`POST /${step}`, options, parent);
  }
}

// Tells the milliseconds since 1970 of a time of `performance.now()`.
type WallClock = (time: number) => number;

const millisecond = 1;

// The clock may have been set since the process began; it counts milliseconds, and the origin is exact.
function wallClock(): WallClock {
  const now = Date.now() - performance.now();
  const { timeOrigin } = performance;
  const origin = Math.abs(now - timeOrigin) <= millisecond ? timeOrigin : now;
  return (time) => origin + time;
}

// Reports why spans were lost, once until an export succeeds again.
function telling(exporter: SpanExporter, failed: (problem: string) => void): SpanExporter {
  let isTold = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const isLost = result.code === ExportResultCode.FAILED;
        if (isLost && !isTold) failed(String(result.error ?? 'unknown reason'));
        isTold = isLost;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    async forceFlush() {
      await exporter.forceFlush?.();
    },
  };
}

async function exporterTo(url: string): Promise<SpanExporter> {
  const { env } = process;
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? env['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
    return new OTLPTraceExporter({ url });
  }
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ url });
}
