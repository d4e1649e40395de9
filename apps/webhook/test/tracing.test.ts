import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '@kubeadmit/test-support';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook } from './harness/webhook.ts';

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly {
    readonly key: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
}

interface Sent {
  readonly url: string;
  readonly type: string;
  readonly authorization: string | undefined;
  readonly body: Buffer;
}

const sent: Sent[] = [];
const collector = createServer((request: IncomingMessage, response) => {
  void buffer(request).then((body) => {
    const { headers, url = '' } = request;
    const { authorization } = headers;
    sent.push({ url, type: headers['content-type'] ?? '', authorization, body });
    response.writeHead(200, { 'content-type': headers['content-type'] ?? '' }).end('{}');
  });
});
let endpoint = '';

beforeEach(async () => {
  sent.length = 0;
  endpoint = `http://127.0.0.1:${await listen(collector)}`;
});

afterEach(() => {
  vi.unstubAllEnvs();
  collector.close();
  collector.closeAllConnections();
});

function spans(): readonly Span[] {
  return sent.flatMap(({ body }) => {
    const { resourceSpans } = JSON.parse(body.toString()) as {
      readonly resourceSpans: readonly {
        readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
      }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  });
}

const value = (span: Span | undefined, key: string): unknown =>
  Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0];

const traceId = '0af7651916cd43dd8448eb211c80319c';
const policies = {
  'a.yaml': validatingPolicy('a', 'true'),
  'b.yaml': validatingPolicy('b', 'false'),
};

test("a request is a span of its caller's trace, and each policy is a child span", async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json');
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'authorization=Bearer%20secret');
  const webhook = await startWebhook(policies, ['--tracing-endpoint', `${endpoint}/`]);
  const headers = (flags: string, trace = traceId) => ({
    headers: { traceparent: `00-${trace}-b7ad6b7169203331-${flags}` },
  });
  await webhook.ask('/validate', configMapReview(), headers('01'));
  // The caller decided that this request is not traced.
  await webhook.ask('/validate', configMapReview(), headers('00', traceId.replace('0a', '0b')));
  await webhook.ask('/validate', 'no JSON', headers('01', traceId.replace('0a', '0c')));
  await webhook.stop();
  expect(sent[0]).toMatchObject({ url: '/v1/traces', authorization: 'Bearer secret' });
  const all = spans();
  expect(new Set(all.map((span) => span.traceId.slice(0, 2)))).toEqual(new Set(['0a', '0c']));
  const own = all.filter((span) => span.traceId === traceId);
  const root = own.find(({ name }) => name === 'POST /validate');
  expect(root).toMatchObject({ parentSpanId: 'b7ad6b7169203331' });
  expect({
    code: value(root, 'http.response.status_code'),
    resource: value(root, 'kubeadmit.request.resource'),
    namespace: value(root, 'k8s.namespace.name'),
    allowed: value(root, 'kubeadmit.allowed'),
    denial: value(root, 'kubeadmit.denial.code'),
  }).toEqual({
    code: 200,
    resource: 'v1/configmaps',
    namespace: 'shop',
    allowed: false,
    denial: 422,
  });
  const parts = own.filter((span) => span !== root);
  expect(parts.map(({ name }) => name)).toEqual([
    'body',
    'ValidatingAdmissionPolicy a',
    'ValidatingAdmissionPolicy b',
  ]);
  for (const part of parts) {
    expect(part.parentSpanId).toBe(root?.spanId);
    const [start, end] = [part.startTimeUnixNano, part.endTimeUnixNano].map(BigInt);
    expect(start).toBeGreaterThanOrEqual(BigInt(root?.startTimeUnixNano ?? 0));
    expect(end).toBeGreaterThanOrEqual(start ?? 0n);
    expect(end).toBeLessThanOrEqual(BigInt(root?.endTimeUnixNano ?? 0));
  }
  const refused = all.find((span) => span.traceId !== traceId);
  expect(value(refused, 'http.response.status_code')).toBe(400);
  // No content of an object, and no name of a user.
  expect(JSON.stringify(all)).not.toMatch(/alice|developers/);
});

test('spans are sent as protocol buffers to the collector of the environment, and requests without a trace are sampled', async () => {
  const args = (share: string) => ['--trace-share', share];
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint);
  const none = await startWebhook(policies, args('0'));
  await none.ask('/validate', configMapReview());
  await none.stop();
  expect(sent).toEqual([]);
  const all = await startWebhook(policies, args('1'));
  await all.ask('/validate', configMapReview());
  await all.stop();
  expect(sent).toMatchObject([{ url: '/v1/traces', type: 'application/x-protobuf' }]);
  expect(sent[0]?.body.includes('ValidatingAdmissionPolicy b')).toBe(true);
});

test('does not wait for an unreachable collector, and reports it once', async () => {
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '100');
  collector.close();
  collector.closeAllConnections();
  const webhook = await startWebhook(policies, ['--tracing-endpoint', endpoint]);
  const { body } = await webhook.ask('/validate', configMapReview());
  expect(body['response']).toMatchObject({ allowed: false });
  const told = (): readonly unknown[] =>
    webhook.log.filter(({ message }) => message === 'cannot send traces to the collector');
  await vi.waitFor(() => expect(told()).toHaveLength(1), { timeout: 60_000 });
  await webhook.ask('/validate', configMapReview());
  await webhook.stop();
  expect(told()).toHaveLength(1);
});
