import { readFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview, type ReviewParts } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

interface HostileRequest {
  readonly name: string;
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often the value of each header is repeated. */
  readonly headerTimes?: number;
  readonly body?: string;
  readonly parts?: ReviewParts;
  readonly repeat?: { readonly text: string; readonly times: number };
  /** In hexadecimal digits. */
  readonly bytes?: string;
  readonly code: number;
  /** The start of the message. */
  readonly message?: string;
}

const requests = JSON.parse(
  readFileSync(new URL('hostile-requests.json', import.meta.url), 'utf8'),
) as readonly HostileRequest[];

let webhook: TestWebhook;

beforeAll(async () => {
  webhook = await startWebhook(
    { 'policy.yaml': validatingPolicy('small', 'size(object.metadata.name) < 20') },
    ['--log-allows', '0'],
  );
});

afterAll(() => webhook.stop());

async function expectNormalAnswer(): Promise<void> {
  const { code, body } = await webhook.ask('/validate', configMapReview());
  expect({ code, response: body['response'] }).toEqual({
    code: 200,
    response: { uid: expect.any(String), allowed: true },
  });
}

describe('refuses', () => {
  test.each(requests)('$name', async (request) => {
    const { path = '/validate', method = 'POST', headerTimes = 1, code, message = '' } = request;
    const headers = Object.fromEntries(
      Object.entries(request.headers ?? {}).map(([name, value]) => [
        name,
        value.repeat(headerTimes),
      ]),
    );
    const answer = await webhook.ask(path, bodyOf(request), { method, headers });
    expect(answer.code).toBe(code);
    expect(String(answer.body['message'] ?? '').slice(0, message.length)).toBe(message);
    await expectNormalAnswer();
  });
});

function bodyOf({ body, parts, repeat, bytes }: HostileRequest): string | Buffer {
  if (bytes !== undefined) return Buffer.from(bytes, 'hex');
  if (repeat !== undefined) return repeat.text.repeat(repeat.times);
  return body ?? configMapReview(parts);
}

test.each(['__proto__', 'constructor', 'toString'])(
  'takes a key called %s as any other',
  async (key) => {
    const review = configMapReview({ object: { data: { key: 'x' } } }).replaceAll(
      '"key"',
      `"${key}"`,
    );
    const { body } = await webhook.ask('/validate', review);
    expect(body['response']).toEqual({ uid: expect.any(String), allowed: true });
  },
);

test('answers while hundreds of connections send nothing, garbage or slow bodies', async () => {
  const sockets: TLSSocket[] = [];
  try {
    for (let index = 0; index < 300; index++) {
      const socket = connect({ host: '127.0.0.1', port: webhook.port, rejectUnauthorized: false });
      socket.on('error', () => undefined);
      sockets.push(socket);
      if (index % 3 === 1) socket.write('\u0000garbage\r\n\r\nGET / HTTP/9\r\n\r\n');
      if (index % 3 === 2) {
        socket.write(
          'POST /validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
        );
      }
    }
    await Promise.all(Array.from({ length: 50 }, expectNormalAnswer));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  await expectNormalAnswer();
});

test('answers requests that one connection sends at once, in their order', async () => {
  const names = ['first', 'a-name-that-is-too-long', 'third'];
  const requests = names.map((name, index) => {
    const body = configMapReview({
      request: { uid: `uid-${index}`, name },
      object: { metadata: { name } },
    });
    const head = `POST /validate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    return `${head}${index === names.length - 1 ? 'Connection: close\r\n' : ''}\r\n${body}`;
  });
  const socket = connect({ host: '127.0.0.1', port: webhook.port, rejectUnauthorized: false });
  socket.write(requests.join(''));
  let answers = '';
  for await (const part of socket.setEncoding('utf8')) answers += part;
  const verdicts = answers.matchAll(/"uid":"(uid-\d)","allowed":(true|false)/g);
  expect(Array.from(verdicts, ([, uid, allowed]) => [uid, allowed])).toEqual([
    ['uid-0', 'true'],
    ['uid-1', 'false'],
    ['uid-2', 'true'],
  ]);
  await expectNormalAnswer();
});

// Kyverno has no budget of costs: a rule can loop over as many elements as an expression makes.
const doubled = ' | [@, @][]'.repeat(17);
const loop = `
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: loop}
spec:
  rules:
  - name: loop
    match: {any: [{resources: {kinds: [ConfigMap]}}]}
    validate:
      message: never
      failureAction: Enforce
      foreach:
      - list: '[\`1\`]${doubled}'
        foreach:
        - list: '[\`1\`]${doubled}'
          deny: {conditions: {any: [{key: '{{ element }}', operator: Equals, value: 2}]}}
`;

test('ends a loop of a Kyverno rule after its time, and does not keep other requests waiting', async () => {
  const other = await startWebhook({ 'loop.yaml': loop });
  try {
    const start = performance.now();
    const denied = other.ask('/validate', configMapReview());
    const secret = configMapReview({
      request: {
        kind: { group: '', version: 'v1', kind: 'Secret' },
        resource: { group: '', version: 'v1', resource: 'secrets' },
        requestKind: null,
        requestResource: null,
      },
      object: { kind: 'Secret' },
    });
    expect((await other.ask('/validate', secret)).body['response']).toMatchObject({
      allowed: true,
    });
    const { body } = await denied;
    expect(body['response']).toMatchObject({
      allowed: false,
      status: { message: expect.stringContaining('operation interrupted: its time is up') },
    });
    expect(performance.now() - start).toBeLessThan(10_000);
  } finally {
    await other.stop();
  }
});
